#include "frontend/zoo/figures.h"

#include <variant>
#include <vector>

namespace quantc::frontend {
namespace {

constexpr std::size_t kWeightInput = 1;
constexpr std::size_t kFirstRunningStatistic = 3;  // of a BatchNorm's inputs

bool has_weight_matrix(const ir::Op& op) {
  return std::holds_alternative<ir::Conv2d>(op) ||
         std::holds_alternative<ir::ConvTranspose2d>(op) || std::holds_alternative<ir::Linear>(op);
}

std::int64_t parameters_of(const ir::Graph& graph, const ir::Node& node) {
  const std::size_t end =
      std::holds_alternative<ir::BatchNorm>(node.op) ? kFirstRunningStatistic : node.inputs.size();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (graph.is_constant(node.inputs[i])) count += graph.value(node.inputs[i]).type.elements();
  }
  return count;
}

}  // namespace

Figures figures_of(const ir::Graph& graph) {
  Figures figures;
  for (const ir::Node& node : graph.nodes) {
    figures.parameters += parameters_of(graph, node);
    figures.macs += ir::mac_count(graph, node);
    if (has_weight_matrix(node.op)) {
      figures.int8_weight_bytes += graph.value(node.inputs[kWeightInput]).type.elements();
    }
  }
  return figures;
}

}  // namespace quantc::frontend
