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
ir::Tensor run(const ir::BatchNorm& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Relu& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Clip& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Add& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::MaxPool2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::AvgPool2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::AdaptiveAvgPool2d& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Flatten& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Reshape& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Concat& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Quantize& op, const Tensors& in, const ir::Shape& out);
ir::Tensor run(const ir::Dequantize& op, const Tensors& in, const ir::Shape& out);

}  // namespace quantc::reference
