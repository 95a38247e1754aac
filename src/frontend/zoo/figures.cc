#include "frontend/zoo/figures.h"

#include <variant>
#include <vector>

namespace quantc::frontend {
namespace {

constexpr std::size_t kWeightInput = 1;

bool has_weight_matrix(const ir::Op& op) {
  return std::holds_alternative<ir::Conv2d>(op) ||
         std::holds_alternative<ir::ConvTranspose2d>(op) || std::holds_alternative<ir::Linear>(op);
}

}  // namespace

Figures figures_of(const ir::Graph& graph, const WeightRecorder& weights) {
  Figures figures{.parameters = weights.parameter_count()};
  for (const ir::Node& node : graph.nodes) {
    figures.macs += ir::mac_count(graph, node);
    if (has_weight_matrix(node.op)) {
      figures.int8_weight_bytes += graph.value(node.inputs[kWeightInput]).type.elements();
    }
  }
  return figures;
}

}  // namespace quantc::frontend
