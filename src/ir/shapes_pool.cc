// Shape rules of pooling.
#include <algorithm>

#include "ir/shape_rules.h"
#include "ir/shapes.h"

namespace quantc::ir::shape_rules {
namespace {

// PyTorch's rule: padding of at most half of the kernel.
void require_pool_padding(const Op& op, Size2d kernel, const Padding2d& pad) {
  const bool fits = std::max(pad.top, pad.bottom) * 2 <= kernel.h &&
                    std::max(pad.left, pad.right) * 2 <= kernel.w;
  if (!fits) refuse(op, "padding of at most half of the kernel", "more");
}

}  // namespace

TensorType infer(const MaxPool2d& pool, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  require_float_image(op, x);
  require_window(op, pool.kernel, pool.stride, pool.dilation, pool.padding);
  require_pool_padding(op, pool.kernel, pool.padding);
  const Padding2d& pad = pool.padding;
  return {DType::kFloat32,
          require_not_empty(op,
                            {x.shape[0], x.shape[1],
                             pooled_size(x.shape[2], pool.kernel.h, pool.stride.h, pad.top,
                                         pad.bottom, pool.dilation.h, pool.ceil_mode),
                             pooled_size(x.shape[3], pool.kernel.w, pool.stride.w, pad.left,
                                         pad.right, pool.dilation.w, pool.ceil_mode)},
                            x)};
}

TensorType infer(const AvgPool2d& pool, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  require_float_image(op, x);
  require_window(op, pool.kernel, pool.stride, {}, pool.padding);
  require_pool_padding(op, pool.kernel, pool.padding);
  const Padding2d& pad = pool.padding;
  return {DType::kFloat32, require_not_empty(op,
                                             {x.shape[0], x.shape[1],
                                              pooled_size(x.shape[2], pool.kernel.h, pool.stride.h,
                                                          pad.top, pad.bottom, 1, pool.ceil_mode),
                                              pooled_size(x.shape[3], pool.kernel.w, pool.stride.w,
                                                          pad.left, pad.right, 1, pool.ceil_mode)},
                                             x)};
}

TensorType infer(const AdaptiveAvgPool2d& pool, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  require_float_image(op, x);
  require_at_least(op, "output height", 1, pool.output.h);
  require_at_least(op, "output width", 1, pool.output.w);
  return {DType::kFloat32, {x.shape[0], x.shape[1], pool.output.h, pool.output.w}};
}

}  // namespace quantc::ir::shape_rules
