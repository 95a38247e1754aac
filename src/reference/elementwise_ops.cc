// Ops that map each element by itself.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/kernels.h"
#include "reference/tensor_builder.h"
#include "reference/vector_math.h"

namespace quantc::reference {
namespace {

template <typename Map>
ir::Tensor mapped(const ir::Tensor& x, Map map) {
  TensorBuilder<float> y(x.shape());
  std::transform(x.values<float>().begin(), x.values<float>().end(), y.values().begin(), map);
  return y.take();
}

float relu6(float v) { return std::min(std::max(v, 0.0F), 6.0F); }

// tanh(u) = 2 sigmoid(2u) - 1.
float gelu_tanh(float v) {
  constexpr auto kScale = static_cast<float>(2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
  return v * sigmoid(kScale * (v + 0.044715F * v * v * v));
}

}  // namespace

ir::Tensor run(const ir::Relu& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return v < 0.0F ? 0.0F : v; });
}

ir::Tensor run(const ir::Clip& op, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [&](float v) { return std::min(std::max(v, op.min), op.max); });
}

ir::Tensor run(const ir::Sigmoid& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return sigmoid(v); });
}

ir::Tensor run(const ir::HardSigmoid& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return relu6(v + 3.0F) / 6.0F; });
}

ir::Tensor run(const ir::HardSwish& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return v * relu6(v + 3.0F) / 6.0F; });
}

ir::Tensor run(const ir::Silu& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return v / (1.0F + exponential(-v)); });
}

ir::Tensor run(const ir::Gelu& op, const Tensors& in, const ir::Shape& /*out*/) {
  if (op.tanh_form) return mapped(in[0], [](float v) { return gelu_tanh(v); });
  return mapped(in[0], [](float v) { return v * normal_cdf(v); });
}

ir::Tensor run(const ir::Tanh& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return std::tanh(v); });
}

ir::Tensor run(const ir::Exp& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return exponential(v); });
}

ir::Tensor run(const ir::Sqrt& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return std::sqrt(v); });
}

}  // namespace quantc::reference
