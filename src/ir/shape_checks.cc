// The checks that shape rules are made of.
#include <algorithm>

#include "base/error.h"
#include "ir/shape_rules.h"

namespace quantc::ir::shape_rules {

void refuse(const Op& op, const std::string& expected, const std::string& found) {
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

void require_float(const Op& op, const TensorType& x) {
  require(x.dtype == DType::kFloat32, op, "f32", x);
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

void require_at_least(const Op& op, const std::string& what, std::int64_t least,
                      std::int64_t value) {
  if (value >= least && value <= kMostOfAnAttribute) return;
  refuse(op, what + " from " + std::to_string(least) + " to " + std::to_string(kMostOfAnAttribute),
         std::to_string(value));
}

void require_axis(const Op& op, const std::string& what, std::int64_t axis, const TensorType& x) {
  const bool exists = axis >= 0 && axis < static_cast<std::int64_t>(x.shape.size());
  require(exists, op,
          "a rank above " + what + " = " + std::to_string(axis) + ", which is 0 or more", x);
}

void require_window(const Op& op, Size2d kernel, Size2d stride, Size2d dilation,
                    const Padding2d& padding) {
  for (const std::int64_t value : {kernel.h, kernel.w})
    require_at_least(op, "kernel size", 1, value);
  for (const std::int64_t value : {stride.h, stride.w}) require_at_least(op, "stride", 1, value);
  for (const std::int64_t value : {dilation.h, dilation.w})
    require_at_least(op, "dilation", 1, value);
  for (const std::int64_t value : {padding.top, padding.left, padding.bottom, padding.right}) {
    require_at_least(op, "padding", 0, value);
  }
}

void require_sizes(const Op& op, const std::string& what, const TensorType& x) {
  std::int64_t elements = 1;
  for (const std::int64_t size : x.shape) {
    require(size > 0, op, what + " with positive sizes", x);
    require(size <= kMostElements / elements, op,
            what + " of at most " + std::to_string(kMostElements) + " elements", x);
    elements *= size;
  }
}

Shape require_not_empty(const Op& op, Shape shape, const TensorType& x) {
  const bool empty = std::any_of(shape.begin(), shape.end(), [](auto size) { return size <= 0; });
  if (empty) refuse(op, "an input large enough for its window", to_string(x));
  return shape;
}

Shape broadcast(const Op& op, const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) {
      refuse(op, "shapes that broadcast", to_string(a) + " and " + to_string(b));
    }
    shape[shape.size() - 1 - i] = left == 1 ? right : left;
  }
  return shape;
}

}  // namespace quantc::ir::shape_rules
