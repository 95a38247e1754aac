#include "ir/shapes.h"

#include "ir/shape_rules.h"

namespace quantc::ir {

TensorType infer_type(const Op& op, const std::vector<TensorType>& inputs) {
  for (const TensorType& input : inputs) shape_rules::require_sizes(op, "an input", input);
  TensorType output =
      std::visit([&](const auto& typed) { return shape_rules::infer(typed, op, inputs); }, op);
  shape_rules::require_sizes(op, "an output", output);
  return output;
}

std::int64_t pooled_size(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                         std::int64_t pad_begin, std::int64_t pad_end, std::int64_t dilation,
                         bool ceil_mode) {
  const std::int64_t span = input + pad_begin + pad_end - dilation * (kernel - 1) - 1;
  const std::int64_t reach = span + (ceil_mode ? stride - 1 : 0);
  if (reach < 0) return 0;
  std::int64_t count = reach / stride + 1;
  if (ceil_mode && (count - 1) * stride >= input + pad_begin) --count;
  return count;
}

}  // namespace quantc::ir
