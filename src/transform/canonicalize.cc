// The ordered list of passes before quantization.
#include "ir/verify.h"
#include "transform/passes.h"

namespace quantc::transform {

ir::Graph canonicalize(const ir::Graph& graph) {
  ir::Graph result = graph;
  for (const auto pass : {fold_constants, remove_no_ops, fold_bias_add, fold_batch_norm}) {
    result = pass(result);
    ir::verify(result);
  }
  require_constant_weights(result);
  return result;
}

}  // namespace quantc::transform
