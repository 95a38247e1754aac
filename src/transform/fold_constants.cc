// Nodes on constants, computed by the reference.
#include <algorithm>

#include "base/error.h"
#include "reference/executor.h"
#include "transform/passes.h"

namespace quantc::transform {
namespace {

bool folds(const ir::Graph& graph, const ir::Node& node) {
  if (std::holds_alternative<ir::Dequantize>(node.op)) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](ir::ValueId id) { return graph.is_constant(id); });
}

}  // namespace

ir::Graph fold_constants(const ir::Graph& graph) {
  ir::Graph folded = graph;
  folded.nodes.clear();
  for (const ir::Node& node : graph.nodes) {
    if (!folds(folded, node)) {
      folded.nodes.push_back(node);
      continue;
    }
    std::vector<ir::Tensor> operands;
    for (const ir::ValueId id : node.inputs) operands.push_back(*folded.value(id).constant);
    folded.value(node.output).constant =
        with_context(node.name, [&] { return reference::evaluate(node.op, operands); });
  }
  return folded;
}

}  // namespace quantc::transform
