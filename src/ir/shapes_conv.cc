// Shape rules of convolutions.
#include <algorithm>

#include "ir/shape_rules.h"

namespace quantc::ir::shape_rules {
namespace {

std::int64_t convolved_size(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                            std::int64_t padding, std::int64_t dilation) {
  const std::int64_t span = input + padding - dilation * (kernel - 1) - 1;
  return span < 0 ? 0 : span / stride + 1;
}

}  // namespace

TensorType infer(const Conv2d& conv, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 3);
  const TensorType& x = inputs[0];
  const TensorType& weight = inputs[1];
  require_float_image(op, x);
  require_float_image(op, weight);
  require_at_least(op, "groups", 1, conv.groups);
  const std::int64_t out_channels = weight.shape[0];
  const Size2d kernel{weight.shape[2], weight.shape[3]};
  require_window(op, kernel, conv.stride, conv.dilation, conv.padding);
  require(weight.shape[1] * conv.groups == x.shape[1] && out_channels % conv.groups == 0, op,
          "weight [C_out,C_in/groups,kh,kw] with C_in = " + std::to_string(x.shape[1]) +
              " and groups = " + std::to_string(conv.groups),
          weight);
  require_bias(op, inputs, out_channels);
  const Padding2d& pad = conv.padding;
  return {DType::kFloat32,
          require_not_empty(op,
                            {x.shape[0], out_channels,
                             convolved_size(x.shape[2], kernel.h, conv.stride.h,
                                            pad.top + pad.bottom, conv.dilation.h),
                             convolved_size(x.shape[3], kernel.w, conv.stride.w,
                                            pad.left + pad.right, conv.dilation.w)},
                            x)};
}

TensorType infer(const ConvTranspose2d& conv, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 3);
  const TensorType& x = inputs[0];
  const TensorType& weight = inputs[1];
  require_float_image(op, x);
  require_float_image(op, weight);
  require_at_least(op, "groups", 1, conv.groups);
  const Size2d kernel{weight.shape[2], weight.shape[3]};
  require_window(op, kernel, conv.stride, conv.dilation, conv.padding);
  require(weight.shape[0] == x.shape[1] && x.shape[1] % conv.groups == 0, op,
          "weight [C_in,C_out/groups,kh,kw] with C_in = " + std::to_string(x.shape[1]), weight);
  const Size2d& added = conv.output_padding;
  const bool fits = added.h >= 0 && added.w >= 0 &&
                    added.h < std::max(conv.stride.h, conv.dilation.h) &&
                    added.w < std::max(conv.stride.w, conv.dilation.w);
  if (!fits) {
    refuse(op, "output_padding below the stride or the dilation",
           std::to_string(added.h) + " and " + std::to_string(added.w));
  }
  const std::int64_t out_channels = weight.shape[1] * conv.groups;
  require_bias(op, inputs, out_channels);
  const Padding2d& pad = conv.padding;
  const auto size = [](std::int64_t input, std::int64_t stride, std::int64_t padding,
                       std::int64_t dilation, std::int64_t taps, std::int64_t extra) {
    return (input - 1) * stride - padding + dilation * (taps - 1) + extra + 1;
  };
  return {DType::kFloat32,
          require_not_empty(op,
                            {x.shape[0], out_channels,
                             size(x.shape[2], conv.stride.h, pad.top + pad.bottom, conv.dilation.h,
                                  kernel.h, conv.output_padding.h),
                             size(x.shape[3], conv.stride.w, pad.left + pad.right, conv.dilation.w,
                                  kernel.w, conv.output_padding.w)},
                            x)};
}

}  // namespace quantc::ir::shape_rules
