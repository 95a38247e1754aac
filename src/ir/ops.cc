#include "ir/ops.h"

#include <array>

namespace quantc::ir {

std::string_view name_of(const Op& op) {
  // In the order of the variant's alternatives.
  static constexpr std::array<std::string_view, std::variant_size_v<Op>> kNames = {
      "conv2d",       "conv_transpose2d",
      "linear",       "matmul",
      "batch_norm",   "layer_norm",
      "softmax",      "relu",
      "clip",         "sigmoid",
      "hard_sigmoid", "hard_swish",
      "silu",         "gelu",
      "tanh",         "exp",
      "sqrt",         "add",
      "sub",          "mul",
      "div",          "mean",
      "reduce_l2",    "max_pool2d",
      "avg_pool2d",   "adaptive_avg_pool2d",
      "flatten",      "reshape",
      "transpose",    "slice",
      "pad",          "expand",
      "gather",       "concat",
      "quantize",     "dequantize"};
  return kNames.at(op.index());
}

}  // namespace quantc::ir
