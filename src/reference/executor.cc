#include "reference/executor.h"

#include <optional>
#include <string>

#include "base/error.h"
#include "ir/shapes.h"
#include "reference/kernels.h"

namespace quantc::reference {
namespace {

std::size_t index(ir::ValueId id) { return static_cast<std::size_t>(id); }

// How many reads of each value are still to come; graph outputs count as one that never ends.
std::vector<int> count_reads(const ir::Graph& graph) {
  std::vector<int> reads(graph.values.size(), 0);
  for (const ir::Node& node : graph.nodes) {
    for (const ir::ValueId input : node.inputs) ++reads[index(input)];
  }
  for (const ir::ValueId output : graph.outputs) ++reads[index(output)];
  return reads;
}

void require_inputs(const ir::Graph& graph, const std::vector<ir::Tensor>& inputs) {
  if (inputs.size() != graph.inputs.size()) {
    throw InputError("graph " + graph.name + ": expected " + std::to_string(graph.inputs.size()) +
                     " inputs, found " + std::to_string(inputs.size()));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::Value& expected = graph.value(graph.inputs[i]);
    if (inputs[i].type() == expected.type) continue;
    throw InputError("graph " + graph.name + ": input " + expected.name + ": expected " +
                     ir::to_string(expected.type) + ", found " + ir::to_string(inputs[i].type()));
  }
}

}  // namespace

ir::Tensor evaluate(const ir::Op& op, const std::vector<ir::Tensor>& inputs) {
  std::vector<ir::TensorType> types;
  types.reserve(inputs.size());
  for (const ir::Tensor& input : inputs) types.push_back(input.type());
  const ir::TensorType out = ir::infer_type(op, types);
  return std::visit([&](const auto& typed) { return run(typed, inputs, out.shape); }, op);
}

std::vector<ir::Tensor> execute(const ir::Graph& graph, const std::vector<ir::Tensor>& inputs,
                                const ValueCallback& on_value) {
  require_inputs(graph, inputs);
  std::vector<std::optional<ir::Tensor>> values(graph.values.size());
  std::vector<int> reads = count_reads(graph);
  const auto define = [&](ir::ValueId id, ir::Tensor tensor) {
    if (on_value) on_value(id, tensor);
    values[index(id)] = std::move(tensor);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) define(graph.inputs[i], inputs[i]);
  for (const ir::Node& node : graph.nodes) {
    std::vector<ir::Tensor> operands;
    for (const ir::ValueId id : node.inputs) {
      const ir::Value& value = graph.value(id);
      operands.push_back(value.constant ? *value.constant : values[index(id)].value());
    }
    define(node.output, with_context(node.name, [&] { return evaluate(node.op, operands); }));
    for (const ir::ValueId id : node.inputs) {
      if (--reads[index(id)] == 0) values[index(id)].reset();
    }
    if (reads[index(node.output)] == 0) values[index(node.output)].reset();
  }
  std::vector<ir::Tensor> outputs;
  for (const ir::ValueId id : graph.outputs) {
    const ir::Value& value = graph.value(id);
    outputs.push_back(value.constant ? *value.constant : values[index(id)].value());
  }
  return outputs;
}

}  // namespace quantc::reference
