// What the shape rules share: one function per op, and the checks that they are made of. Every
// check throws an UnsupportedError that names op, expected and found.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/ops.h"
#include "ir/tensor.h"

namespace quantc::ir::shape_rules {

using Types = std::vector<TensorType>;

template <typename T, typename... Ts>
concept OneOf = (std::is_same_v<T, Ts> || ...);

/// Maps each element by itself and has no attribute that could be wrong.
template <typename T>
concept Unary = OneOf<T, Relu, Sigmoid, HardSigmoid, HardSwish, Silu, Gelu, Tanh, Exp, Sqrt>;

/// Combines two operands that broadcast.
template <typename T>
concept Binary = OneOf<T, Add, Sub, Mul, Div>;

/// The type of the output of `op`, of which the first argument is the alternative.
TensorType infer(const Conv2d& conv, const Op& op, const Types& inputs);
TensorType infer(const ConvTranspose2d& conv, const Op& op, const Types& inputs);
TensorType infer(const Linear& linear, const Op& op, const Types& inputs);
TensorType infer(const Matmul& matmul, const Op& op, const Types& inputs);
TensorType infer(const BatchNorm& norm, const Op& op, const Types& inputs);
TensorType infer(const LayerNorm& norm, const Op& op, const Types& inputs);
TensorType infer(const Softmax& softmax, const Op& op, const Types& inputs);
TensorType infer(const Clip& clip, const Op& op, const Types& inputs);
TensorType infer(const Mean& mean, const Op& op, const Types& inputs);
TensorType infer(const ReduceL2& norm, const Op& op, const Types& inputs);
TensorType infer(const MaxPool2d& pool, const Op& op, const Types& inputs);
TensorType infer(const AvgPool2d& pool, const Op& op, const Types& inputs);
TensorType infer(const AdaptiveAvgPool2d& pool, const Op& op, const Types& inputs);
TensorType infer(const Flatten& flatten, const Op& op, const Types& inputs);
TensorType infer(const Reshape& reshape, const Op& op, const Types& inputs);
TensorType infer(const Transpose& transpose, const Op& op, const Types& inputs);
TensorType infer(const Slice& slice, const Op& op, const Types& inputs);
TensorType infer(const Pad& pad, const Op& op, const Types& inputs);
TensorType infer(const Expand& expand, const Op& op, const Types& inputs);
TensorType infer(const Gather& gather, const Op& op, const Types& inputs);
TensorType infer(const Concat& concat, const Op& op, const Types& inputs);
TensorType infer(const Quantize& quantize, const Op& op, const Types& inputs);
TensorType infer(const Dequantize& dequantize, const Op& op, const Types& inputs);
TensorType infer_unary(const Op& op, const Types& inputs);
TensorType infer_binary(const Op& op, const Types& inputs);

TensorType infer(const Unary auto& /*typed*/, const Op& op, const Types& inputs) {
  return infer_unary(op, inputs);
}
TensorType infer(const Binary auto& /*typed*/, const Op& op, const Types& inputs) {
  return infer_binary(op, inputs);
}

/// Limits within which no product of sizes and attributes leaves 64 bits.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 36;
inline constexpr std::int64_t kMostOfAnAttribute = 1 << 24;

[[noreturn]] void refuse(const Op& op, const std::string& expected, const std::string& found);

void require(bool condition, const Op& op, const std::string& expected, const TensorType& found);
void require_input_count(const Op& op, const Types& inputs, std::size_t least, std::size_t most);
void require_float(const Op& op, const TensorType& x);

/// An f32 tensor of rank 4.
void require_float_image(const Op& op, const TensorType& x);

/// inputs[2], where there is one, is f32[channels].
void require_bias(const Op& op, const Types& inputs, std::int64_t channels);

/// least <= value <= kMostOfAnAttribute.
void require_at_least(const Op& op, const std::string& what, std::int64_t least,
                      std::int64_t value);

/// `axis` is a dimension of x; `what` names it in the message.
void require_axis(const Op& op, const std::string& what, std::int64_t axis, const TensorType& x);

/// Every size is positive, and there are at most kMostElements elements; `what` names the tensor.
void require_sizes(const Op& op, const std::string& what, const TensorType& x);

/// The shape two operands broadcast to.
Shape broadcast(const Op& op, const Shape& a, const Shape& b);

/// Positive kernel, stride and dilation, padding of 0 or more.
void require_window(const Op& op, Size2d kernel, Size2d stride, Size2d dilation,
                    const Padding2d& padding);

/// The shape, if every size of it is positive.
Shape require_not_empty(const Op& op, Shape shape, const TensorType& x);

}  // namespace quantc::ir::shape_rules
