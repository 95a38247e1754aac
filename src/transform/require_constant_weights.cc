// The check behind all passes: no weight and no bias is lost because it is not a constant.
#include <array>
#include <string>

#include "base/error.h"
#include "transform/passes.h"

namespace quantc::transform {
namespace {

// Names of the inputs behind the first, for the ops that have parameters.
std::array<const char*, 4> parameter_names(const ir::Op& op) {
  if (std::holds_alternative<ir::BatchNorm>(op)) {
    return {"weight", "bias", "running_mean", "running_var"};
  }
  return {"weight", "bias"};
}

bool has_parameters(const ir::Op& op) {
  return std::holds_alternative<ir::Conv2d>(op) ||
         std::holds_alternative<ir::ConvTranspose2d>(op) ||
         std::holds_alternative<ir::Linear>(op) || std::holds_alternative<ir::BatchNorm>(op);
}

}  // namespace

void require_constant_weights(const ir::Graph& graph) {
  std::vector<bool> is_fixed;
  for (const ir::Value& value : graph.values) is_fixed.push_back(value.constant.has_value());
  const auto fixed = [&](ir::ValueId id) { return is_fixed[static_cast<std::size_t>(id)]; };
  for (const ir::Node& node : graph.nodes) {
    if (std::holds_alternative<ir::Quantize>(node.op) ||
        std::holds_alternative<ir::Dequantize>(node.op)) {
      is_fixed[static_cast<std::size_t>(node.output)] = fixed(node.inputs.at(0));
    }
    if (!has_parameters(node.op)) continue;
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
      if (fixed(node.inputs[i])) continue;
      throw UnsupportedError(node.name + ": " + std::string(ir::name_of(node.op)) +
                             ": expected a constant " + parameter_names(node.op).at(i - 1) +
                             ", found %" + graph.value(node.inputs[i]).name +
                             ", which is computed at run time; export the model with its "
                             "weights folded");
    }
  }
}

}  // namespace quantc::transform
