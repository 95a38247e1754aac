// One function per op: the float32 arithmetic of PyTorch on dense tensors. Types have been checked
// by the shape rules.
#pragma once

#include <vector>

#include "ir/ops.h"
#include "ir/tensor.h"

namespace quantc::reference {

using Tensors = std::vector<ir::Tensor>;

ir::Tensor run(const ir::Conv2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::ConvTranspose2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Linear& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Matmul& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::BatchNorm& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::LayerNorm& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Softmax& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Relu& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Clip& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Sigmoid& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::HardSigmoid& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::HardSwish& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Silu& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Gelu& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Tanh& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Exp& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Sqrt& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Add& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Sub& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Mul& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Div& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Mean& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::ReduceL2& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::MaxPool2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::AvgPool2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::AdaptiveAvgPool2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Flatten& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Reshape& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Transpose& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Slice& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Pad& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Expand& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Gather& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Concat& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Quantize& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Dequantize& op, const Tensors& in, const ir::Shape& out);

}  // namespace quantc::reference
