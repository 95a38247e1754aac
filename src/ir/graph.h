// The graph: values and nodes in execution order. Plain data; passes are free functions from graph
// to graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/ops.h"
#include "ir/tensor.h"

namespace quantc::ir {

/// Index into Graph::values.
using ValueId = std::int32_t;

/// Index into Graph::nodes.
using NodeId = std::int32_t;

/// A tensor that flows through the graph, or a constant.
struct Value {
  std::string name;
  TensorType type;
  std::optional<Tensor> constant;
};

/// One operation. `name` is the module path (the state_dict prefix) where there is one.
struct Node {
  std::string name;
  Op op;
  std::vector<ValueId> inputs;
  ValueId output = -1;
};

struct Graph {
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;  ///< In an order that can be executed.
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;

  const Value& value(ValueId id) const { return values.at(static_cast<std::size_t>(id)); }
  Value& value(ValueId id) { return values.at(static_cast<std::size_t>(id)); }
  const Node& node(NodeId id) const { return nodes.at(static_cast<std::size_t>(id)); }
  bool is_constant(ValueId id) const { return value(id).constant.has_value(); }

  /// Adds a graph input, a constant, or a node whose output type the shape rules infer.
  /// Names are made unique by a suffix.
  ValueId add_input(const std::string& value_name, TensorType type);
  ValueId add_constant(const std::string& value_name, Tensor tensor);
  ValueId add_node(std::string node_name, Op op, std::vector<ValueId> operands);

  /// `wanted`, or with the first free suffix ".1", ".2", ... if a value has it already.
  std::string unique_name(const std::string& wanted);

 private:
  ValueId add_value(const std::string& value_name, TensorType type, std::optional<Tensor> constant);

  std::unordered_set<std::string> names_;  ///< Of values; rebuilt when values were edited.
};

/// For each value the node that makes it, or nothing (inputs, constants).
std::vector<std::optional<NodeId>> producers(const Graph& graph);

/// For each value the nodes that read it, in order; a node that reads it twice is listed twice.
std::vector<std::vector<NodeId>> users(const Graph& graph);

/// True for each value that is an output of the graph.
std::vector<bool> output_mask(const Graph& graph);

/// The same graph without nodes and values that no output needs. Graph inputs stay.
Graph without_dead_nodes(const Graph& graph);

/// Multiply-accumulates of one node; 0 for all but convolutions and matrix products.
std::int64_t mac_count(const Graph& graph, const Node& node);

}  // namespace quantc::ir
