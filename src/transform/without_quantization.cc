// The float network behind a quantized one.
#include <algorithm>
#include <map>

#include "reference/executor.h"
#include "transform/passes.h"

namespace quantc::transform {

bool is_quantized(const ir::Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const ir::Node& node) {
    return std::holds_alternative<ir::Quantize>(node.op);
  });
}

ir::Graph without_quantization(const ir::Graph& graph) {
  ir::Graph result;
  result.name = graph.name;
  std::map<ir::ValueId, ir::ValueId> copies;
  const auto copy_of = [&](ir::ValueId id) {
    const auto known = copies.find(id);
    if (known != copies.end()) return known->second;
    const ir::Value& value = graph.value(id);
    return copies[id] = result.add_constant(value.name, value.constant.value());
  };
  for (const ir::ValueId input : graph.inputs) {
    copies[input] = result.add_input(graph.value(input).name, graph.value(input).type);
  }
  for (const ir::Node& node : graph.nodes) {
    const bool dequantizes = std::holds_alternative<ir::Dequantize>(node.op);
    if (dequantizes && graph.is_constant(node.inputs[0])) {
      const ir::Tensor& codes = *graph.value(node.inputs[0]).constant;
      copies[node.output] =
          result.add_constant(graph.value(node.output).name, reference::evaluate(node.op, {codes}));
    } else if (dequantizes || std::holds_alternative<ir::Quantize>(node.op)) {
      copies[node.output] = copy_of(node.inputs[0]);
    } else {
      std::vector<ir::ValueId> operands;
      for (const ir::ValueId input : node.inputs) operands.push_back(copy_of(input));
      copies[node.output] = result.add_node(node.name, node.op, std::move(operands));
    }
  }
  for (const ir::ValueId output : graph.outputs) result.outputs.push_back(copy_of(output));
  return result;
}

}  // namespace quantc::transform
