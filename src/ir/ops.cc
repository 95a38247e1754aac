#include "ir/ops.h"

#include <array>

namespace quantc::ir {

std::string_view name_of(const Op& op) {
  // In the order of the variant's alternatives.
  static constexpr std::array<std::string_view, std::variant_size_v<Op>> kNames = {
      "conv2d", "conv_transpose2d", "linear",     "batch_norm",          "relu",    "clip",
      "add",    "max_pool2d",       "avg_pool2d", "adaptive_avg_pool2d", "flatten", "reshape",
      "concat", "quantize",         "dequantize"};
  return kNames.at(op.index());
}

}  // namespace quantc::ir
