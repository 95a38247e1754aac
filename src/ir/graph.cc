#include "ir/graph.h"

#include <utility>

#include "ir/shapes.h"

namespace quantc::ir {
namespace {

std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }

std::vector<bool> needed_values(const Graph& graph) {
  std::vector<bool> needed = output_mask(graph);
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!needed[index(node.output)]) continue;
    for (const ValueId input : node.inputs) needed[index(input)] = true;
  }
  for (const ValueId input : graph.inputs) needed[index(input)] = true;
  return needed;
}

}  // namespace

std::string Graph::unique_name(const std::string& wanted) {
  if (names_.size() != values.size()) {  // values were edited by hand since the last call
    names_.clear();
    for (const Value& value : values) names_.insert(value.name);
  }
  std::string unique = wanted;
  for (int suffix = 1; names_.contains(unique); ++suffix) {
    unique = wanted + "." + std::to_string(suffix);
  }
  names_.insert(unique);
  return unique;
}

ValueId Graph::add_value(const std::string& value_name, TensorType type,
                         std::optional<Tensor> constant) {
  values.push_back({unique_name(value_name), std::move(type), std::move(constant)});
  return static_cast<ValueId>(values.size() - 1);
}

ValueId Graph::add_input(const std::string& value_name, TensorType type) {
  const ValueId id = add_value(value_name, std::move(type), std::nullopt);
  inputs.push_back(id);
  return id;
}

ValueId Graph::add_constant(const std::string& value_name, Tensor tensor) {
  TensorType type = tensor.type();
  return add_value(value_name, std::move(type), std::move(tensor));
}

ValueId Graph::add_node(std::string node_name, Op op, std::vector<ValueId> operands) {
  std::vector<TensorType> types;
  types.reserve(operands.size());
  for (const ValueId operand : operands) types.push_back(value(operand).type);
  TensorType type = with_context(node_name, [&] { return infer_type(op, types); });
  const ValueId output = add_value(node_name, std::move(type), std::nullopt);
  nodes.push_back({std::move(node_name), std::move(op), std::move(operands), output});
  return output;
}

std::vector<std::optional<NodeId>> producers(const Graph& graph) {
  std::vector<std::optional<NodeId>> producer(graph.values.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    producer.at(index(graph.nodes[i].output)) = static_cast<NodeId>(i);
  }
  return producer;
}

std::vector<std::vector<NodeId>> users(const Graph& graph) {
  std::vector<std::vector<NodeId>> readers(graph.values.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const ValueId input : graph.nodes[i].inputs) {
      readers.at(index(input)).push_back(static_cast<NodeId>(i));
    }
  }
  return readers;
}

std::vector<bool> output_mask(const Graph& graph) {
  std::vector<bool> is_output(graph.values.size());
  for (const ValueId output : graph.outputs) is_output.at(index(output)) = true;
  return is_output;
}

Graph without_dead_nodes(const Graph& graph) {
  const std::vector<bool> needed = needed_values(graph);
  std::vector<ValueId> renumbered(graph.values.size(), -1);
  Graph live;
  live.name = graph.name;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (!needed[i]) continue;
    renumbered[i] = static_cast<ValueId>(live.values.size());
    live.values.push_back(graph.values[i]);
  }
  const auto renumber = [&](std::vector<ValueId> ids) {
    for (ValueId& id : ids) id = renumbered[index(id)];
    return ids;
  };
  for (const Node& node : graph.nodes) {
    if (!needed[index(node.output)]) continue;
    live.nodes.push_back(
        {node.name, node.op, renumber(node.inputs), renumbered[index(node.output)]});
  }
  live.inputs = renumber(graph.inputs);
  live.outputs = renumber(graph.outputs);
  return live;
}

std::int64_t mac_count(const Graph& graph, const Node& node) {
  const auto input = [&](std::size_t i) -> const TensorType& {
    return graph.value(node.inputs.at(i)).type;
  };
  const std::int64_t outputs = graph.value(node.output).type.elements();
  const auto per_first_channel = [&] { return input(1).elements() / input(1).shape.at(0); };
  return std::visit(
      Overloaded{
          [&](const Conv2d&) { return outputs * per_first_channel(); },
          [&](const Linear&) { return outputs * per_first_channel(); },
          [&](const ConvTranspose2d&) { return input(0).elements() * per_first_channel(); },
          [&](const Matmul&) { return outputs * input(0).shape.back(); },
          [](const auto&) { return std::int64_t{0}; },
      },
      node.op);
}

}  // namespace quantc::ir
