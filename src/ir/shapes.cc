#include "ir/shapes.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"

namespace quantc::ir {
namespace {

using Types = std::vector<TensorType>;

[[noreturn]] void refuse(const Op& op, const std::string& expected, const std::string& found) {
  throw UnsupportedError(std::string(name_of(op)) + ": expected " + expected + ", found " + found);
}

void require(bool condition, const Op& op, const std::string& expected, const TensorType& found) {
  if (!condition) refuse(op, expected, to_string(found));
}

void require_input_count(const Op& op, const Types& inputs, std::size_t least, std::size_t most) {
  if (inputs.size() >= least && inputs.size() <= most) return;
  const std::string range =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  refuse(op, range + " inputs", std::to_string(inputs.size()));
}

void require_float_image(const Op& op, const TensorType& x) {
  require(x.shape.size() == 4, op, "a tensor of rank 4", x);
  require(x.dtype == DType::kFloat32, op, "f32", x);
}

void require_bias(const Op& op, const Types& inputs, std::int64_t channels) {
  if (inputs.size() < 3) return;
  require(inputs[2].shape == Shape{channels} && inputs[2].dtype == DType::kFloat32, op,
          "bias f32[" + std::to_string(channels) + "]", inputs[2]);
}

void require_positive(const Op& op, const std::string& what, std::int64_t value) {
  if (value <= 0) refuse(op, "a positive " + what, std::to_string(value));
}

void require_window(const Op& op, Size2d kernel, Size2d stride, Size2d dilation,
                    const Padding2d& padding) {
  for (const std::int64_t value : {kernel.h, kernel.w}) require_positive(op, "kernel size", value);
  for (const std::int64_t value : {stride.h, stride.w}) require_positive(op, "stride", value);
  for (const std::int64_t value : {dilation.h, dilation.w}) require_positive(op, "dilation", value);
  for (const std::int64_t value : {padding.top, padding.left, padding.bottom, padding.right}) {
    if (value < 0) refuse(op, "padding of 0 or more", std::to_string(value));
  }
}

Shape require_not_empty(const Op& op, Shape shape, const TensorType& x) {
  const bool empty = std::any_of(shape.begin(), shape.end(), [](auto size) { return size <= 0; });
  if (empty) refuse(op, "an input large enough for its window", to_string(x));
  return shape;
}

std::int64_t convolved_size(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                            std::int64_t padding, std::int64_t dilation) {
  const std::int64_t span = input + padding - dilation * (kernel - 1) - 1;
  return span < 0 ? 0 : span / stride + 1;
}

TensorType infer(const Conv2d& conv, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 3);
  const TensorType& x = inputs[0];
  const TensorType& weight = inputs[1];
  require_float_image(op, x);
  require_float_image(op, weight);
  require_positive(op, "number of groups", conv.groups);
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
  require_positive(op, "number of groups", conv.groups);
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

TensorType infer(const Linear&, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 3);
  const TensorType& x = inputs[0];
  const TensorType& weight = inputs[1];
  require(x.dtype == DType::kFloat32 && !x.shape.empty(), op, "f32 of rank 1 or more", x);
  require(weight.dtype == DType::kFloat32 && weight.shape.size() == 2 &&
              weight.shape[1] == x.shape.back(),
          op, "weight f32[out," + std::to_string(x.shape.back()) + "]", weight);
  require_bias(op, inputs, weight.shape[0]);
  Shape shape = x.shape;
  shape.back() = weight.shape[0];
  return {DType::kFloat32, shape};
}

TensorType infer(const BatchNorm&, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 5, 5);
  const TensorType& x = inputs[0];
  require(x.dtype == DType::kFloat32 && x.shape.size() >= 2, op, "f32 of rank 2 or more", x);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    require(inputs[i] == TensorType{DType::kFloat32, {x.shape[1]}}, op,
            "f32[" + std::to_string(x.shape[1]) + "]", inputs[i]);
  }
  return x;
}

TensorType infer_unary(const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  require(inputs[0].dtype == DType::kFloat32, op, "f32", inputs[0]);
  return inputs[0];
}

TensorType infer(const Relu&, const Op& op, const Types& inputs) { return infer_unary(op, inputs); }

TensorType infer(const Clip& clip, const Op& op, const Types& inputs) {
  if (!(clip.min <= clip.max)) {
    refuse(op, "min <= max", std::to_string(clip.min) + " and " + std::to_string(clip.max));
  }
  return infer_unary(op, inputs);
}

TensorType infer(const Add&, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 2);
  for (const TensorType& input : inputs) require(input.dtype == DType::kFloat32, op, "f32", input);
  return {DType::kFloat32, broadcast(inputs[0].shape, inputs[1].shape)};
}

// PyTorch's rule: padding of at most half of the kernel.
void require_pool_padding(const Op& op, Size2d kernel, const Padding2d& pad) {
  const bool fits = std::max(pad.top, pad.bottom) * 2 <= kernel.h &&
                    std::max(pad.left, pad.right) * 2 <= kernel.w;
  if (!fits) refuse(op, "padding of at most half of the kernel", "more");
}

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
  require_positive(op, "output height", pool.output.h);
  require_positive(op, "output width", pool.output.w);
  return {DType::kFloat32, {x.shape[0], x.shape[1], pool.output.h, pool.output.w}};
}

TensorType infer(const Flatten& flatten, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  require(flatten.start_dim >= 0 && flatten.start_dim < rank, op,
          "a rank above start_dim = " + std::to_string(flatten.start_dim), x);
  const auto split = x.shape.begin() + flatten.start_dim;
  Shape shape(x.shape.begin(), split);
  shape.push_back(element_count(Shape(split, x.shape.end())));
  return {x.dtype, shape};
}

TensorType infer(const Reshape& reshape, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  Shape shape = reshape.shape;
  const auto unknown = std::find(shape.begin(), shape.end(), -1);
  if (unknown != shape.end()) {
    *unknown = 1;
    const std::int64_t known = element_count(shape);
    *unknown = known > 0 ? x.elements() / known : 0;
  }
  const bool sizes_valid = std::all_of(shape.begin(), shape.end(), [](auto n) { return n > 0; });
  require(sizes_valid && element_count(shape) == x.elements(), op,
          "a tensor that fills " + to_string(reshape.shape), x);
  return {x.dtype, shape};
}

TensorType infer(const Concat& concat, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1000000);
  TensorType joined = inputs[0];
  const auto rank = static_cast<std::int64_t>(joined.shape.size());
  require(concat.axis >= 0 && concat.axis < rank, op,
          "a rank above axis = " + std::to_string(concat.axis), joined);
  const auto axis = static_cast<std::size_t>(concat.axis);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    TensorType expected = joined;
    if (axis < inputs[i].shape.size()) expected.shape[axis] = inputs[i].shape[axis];
    require(inputs[i] == expected, op, to_string(expected), inputs[i]);
    joined.shape[axis] += inputs[i].shape[axis];
  }
  return joined;
}

TensorType infer(const Quantize& quantize, const Op& op, const Types& inputs) {
  TensorType type = infer_unary(op, inputs);
  type.dtype = quantize.params.dtype;
  return type;
}

TensorType infer(const Dequantize& dequantize, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  require(inputs[0].dtype == dequantize.params.dtype, op,
          std::string(name_of(dequantize.params.dtype)), inputs[0]);
  return {DType::kFloat32, inputs[0].shape};
}

}  // namespace

TensorType infer_type(const Op& op, const std::vector<TensorType>& inputs) {
  return std::visit([&](const auto& typed) { return infer(typed, op, inputs); }, op);
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

Shape broadcast(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) {
      throw UnsupportedError("expected shapes that broadcast, found " + to_string(a) + " and " +
                             to_string(b));
    }
    shape[shape.size() - 1 - i] = left == 1 ? right : left;
  }
  return shape;
}

}  // namespace quantc::ir
