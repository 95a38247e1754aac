#include "ir/verify.h"
#include "transform/passes.h"

namespace quantc::transform {

ir::Graph canonicalize(const ir::Graph& graph) {
  using Pass = ir::Graph (*)(const ir::Graph&);
  static constexpr Pass kPasses[] = {fold_constants, fold_batch_norm, ir::without_dead_nodes};
  ir::Graph result = graph;
  for (const Pass pass : kPasses) {
    result = pass(result);
    ir::verify(result);
  }
  return result;
}

}  // namespace quantc::transform
