// Grows a program: where each value of the graph lives, its constants, scratch and calls.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "ir/graph.h"
#include "lower/layout_plan.h"
#include "lower/program.h"

namespace quantc::lower {

class ProgramBuilder {
 public:
  ProgramBuilder(const ir::Graph& graph, const LayoutPlan& plan);

  /// A float32 input of the program; a float32 output of these [N,C,H,W] sizes.
  void add_input(ir::ValueId input);
  void add_output(ir::ValueId output, const ir::Shape& sizes);
  bool has_input(ir::ValueId value) const { return inputs_.contains(value); }
  const TensorRef& input(ir::ValueId value) const { return inputs_.at(value); }
  const TensorRef& output(ir::ValueId value) const { return outputs_.at(value); }

  /// An int8 value that has its place.
  const TensorRef& tensor(ir::ValueId value) const { return tensors_.at(value); }

  /// The memory of an int8 value that its kernel writes in this order (kAny: the planned one): a
  /// slice of the concatenation it belongs to if that has the same order, else a buffer of its own.
  TensorRef place(ir::ValueId value, Order written);

  /// The value in an order that a kernel needs; a copy is made once where it has another.
  TensorRef read(ir::ValueId value, Order order);

  /// Gives `value` the memory of `source`, under its own name.
  void alias(ir::ValueId value, ir::ValueId source);

  /// The channels of `whole` from first_channel on, as many as `value` has.
  TensorRef narrowed(const TensorRef& whole, ir::ValueId value, std::int64_t first_channel) const;

  /// A constant of the graph as an operand of a result of `rank`: sizes are counted from the last.
  TensorRef constant_operand(ir::ValueId value, std::size_t rank);

  ConstantId add_constant(const std::string& name, ir::Tensor tensor);

  /// A buffer that lives for one call; none for 0 bytes.
  BufferId add_scratch(const std::string& layer, std::size_t bytes);

  void add_call(Call call) { program_.calls.push_back(std::move(call)); }

  /// The finished, verified program.
  Program take();

 private:
  BufferId add_buffer(const std::string& name, Space space, std::int64_t bytes);
  TensorRef add_tensor(ir::ValueId value, const Layout& layout, Space space, ir::DType dtype);

  const ir::Graph& graph_;
  const LayoutPlan& plan_;
  Program program_;
  std::map<ir::ValueId, TensorRef> inputs_;
  std::map<ir::ValueId, TensorRef> outputs_;
  std::map<ir::ValueId, TensorRef> tensors_;
  std::map<ir::ValueId, Order> orders_;
  std::map<std::pair<ir::ValueId, Order>, TensorRef> copies_;
};

}  // namespace quantc::lower
