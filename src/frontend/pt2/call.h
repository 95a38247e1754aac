// One call of an operator while its program is imported: its arguments by name and type, and the
// nodes that it becomes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/pt2/aten_schema.h"
#include "frontend/pt2/environment.h"
#include "frontend/pt2/program.h"
#include "ir/graph.h"

namespace quantc::frontend {

using Operands = std::vector<Operand>;

class Call {
 public:
  Call(ir::Graph& graph, const Environment& environment, const ProgramNode& node,
       BoundArguments arguments)
      : graph_(graph), environment_(environment), node_(node), arguments_(std::move(arguments)) {}

  const std::string& name() const { return node_.name; }
  const std::vector<std::string>& outputs() const { return node_.outputs; }

  /// The value of an argument as a type. InputError naming node, argument, expected and found type;
  /// UnsupportedError with a hint if it is symbolic.
  Operand tensor(std::string_view argument) const;
  std::optional<Operand> optional_tensor(std::string_view argument) const;
  std::vector<std::optional<Operand>> tensors(std::string_view argument) const;
  bool flag(std::string_view argument) const;
  std::int64_t integer(std::string_view argument) const;
  std::optional<std::int64_t> optional_integer(std::string_view argument) const;
  double number(std::string_view argument) const;
  std::optional<double> optional_number(std::string_view argument) const;
  const std::string& text(std::string_view argument) const;
  std::vector<std::int64_t> integers(std::string_view argument) const;
  ir::Size2d pair(std::string_view argument) const;  ///< From one or two integers.
  const std::string& tensor_name(std::string_view argument) const;
  bool is_none(std::string_view argument) const;
  bool is_tensor(std::string_view argument) const;
  ir::DType dtype(std::string_view argument) const;

  /// An argument that counts dimensions from the front, or from the back if negative, as an index
  /// below `rank`.
  std::int64_t axis(std::string_view argument, std::size_t rank) const;
  std::int64_t normalized_axis(std::int64_t axis, std::size_t rank) const;

  /// The arguments dim, start, end and step as Python slices count: from the back if negative, and
  /// never outside.
  ir::Slice slice_of(const ir::Shape& shape) const;

  const ir::TensorType& type(const Operand& x) const;
  const ir::Shape& shape(const Operand& x) const { return type(x).shape; }

  /// The tensor of a constant of the graph, or nullptr.
  const ir::Tensor* constant_of(const Operand& x) const;

  /// The node that computes the operand, or nullptr.
  const ir::Node* producer_of(const Operand& x) const;

  /// The output of `op`: known at import if all inputs are and it is an op that only moves
  /// elements, else of a new node with the name of this call (or with `suffix` behind it).
  Operand emit(const ir::Op& op, const Operands& inputs, std::string_view suffix = {});
  Operand constant(std::string_view suffix, ir::Tensor tensor);
  Operand scalar(double value);  ///< A float32 of rank 0.
  Operand filled(std::string_view suffix, const ir::Shape& shape, float value);

  /// The elements of an argument that is known at import. UnsupportedError if it is not.
  HostTensor host(std::string_view argument) const;

  /// UnsupportedError naming the node.
  [[noreturn]] void refuse(const std::string& message) const;
  void require(bool condition, std::string_view expected) const;

 private:
  const Argument& value(std::string_view argument) const;
  [[noreturn]] void wrong_type(std::string_view argument, std::string_view expected) const;

  ir::Graph& graph_;
  const Environment& environment_;
  const ProgramNode& node_;
  BoundArguments arguments_;
};

/// The operand as a value of the graph; one that is known at import becomes a constant.
ir::ValueId value_in(ir::Graph& graph, const Operand& operand);

}  // namespace quantc::frontend
