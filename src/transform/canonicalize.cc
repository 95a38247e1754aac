#include "ir/verify.h"
#include "transform/passes.h"

namespace quantc::transform {

ir::Graph canonicalize(const ir::Graph& graph) {
  using Pass = ir::Graph (*)(const ir::Graph&);
  static constexpr Pass kPasses[] = {fold_constants, remove_no_ops, fold_bias_add, fold_batch_norm};
  ir::Graph result = graph;
  for (const Pass pass : kPasses) {
    result = pass(result);
    ir::verify(result);
  }
  require_constant_weights(result);
  return result;
}

}  // namespace quantc::transform
