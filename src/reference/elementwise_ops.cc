// Ops that map each element, and those that only move or rename elements.
#include <algorithm>
#include <cmath>
#include <functional>

#include "reference/kernels.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

template <typename Map>
ir::Tensor mapped(const ir::Tensor& x, Map map) {
  TensorBuilder<float> y(x.shape());
  std::transform(x.values<float>().begin(), x.values<float>().end(), y.values().begin(), map);
  return y.take();
}

// Strides of an operand inside of a broadcast result; 0 where it is stretched.
std::vector<std::size_t> broadcast_strides(const ir::Shape& operand, const ir::Shape& out) {
  std::vector<std::size_t> strides(out.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const auto size = static_cast<std::size_t>(operand[operand.size() - 1 - i]);
    if (size > 1) strides[out.size() - 1 - i] = stride;
    stride *= size;
  }
  return strides;
}

void add_rows(std::size_t dim, const ir::Shape& out, const std::vector<std::size_t>& a_strides,
              const std::vector<std::size_t>& b_strides, const float* a, const float* b,
              float*& y) {
  const bool last = dim + 1 == out.size();
  for (std::int64_t i = 0; i < out[dim]; ++i) {
    if (last) {
      *y++ = *a + *b;
    } else {
      add_rows(dim + 1, out, a_strides, b_strides, a, b, y);
    }
    a += a_strides[dim];
    b += b_strides[dim];
  }
}

}  // namespace

// y = x * alpha + beta with alpha = weight / sqrt(var + eps), beta = bias - mean * alpha, as
// PyTorch's CPU kernel computes it.
ir::Tensor run(const ir::BatchNorm& op, const Tensors& in, const ir::Shape& out) {
  TensorBuilder<float> y(out);
  const auto channels = static_cast<std::size_t>(out[1]);
  const auto batch = static_cast<std::size_t>(out[0]);
  const auto x = in[0].values<float>();
  const std::size_t plane = x.size() / (batch * channels);
  const auto weight = in[1].values<float>();
  const auto bias = in[2].values<float>();
  const auto mean = in[3].values<float>();
  const auto var = in[4].values<float>();
  for (std::size_t i = 0; i < batch * channels; ++i) {
    const std::size_t c = i % channels;
    const float alpha = weight[c] * (1.0F / std::sqrt(var[c] + static_cast<float>(op.eps)));
    const float beta = bias[c] - mean[c] * alpha;
    const auto from = x.subspan(i * plane, plane);
    std::transform(from.begin(), from.end(), y.values().subspan(i * plane, plane).begin(),
                   [&](float v) { return v * alpha + beta; });
  }
  return y.take();
}

ir::Tensor run(const ir::Relu& /*op*/, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [](float v) { return v < 0.0F ? 0.0F : v; });
}

ir::Tensor run(const ir::Clip& op, const Tensors& in, const ir::Shape& /*out*/) {
  return mapped(in[0], [&](float v) { return std::min(std::max(v, op.min), op.max); });
}

ir::Tensor run(const ir::Add& /*op*/, const Tensors& in, const ir::Shape& out) {
  TensorBuilder<float> sum(out);
  const auto a = in[0].values<float>();
  const auto b = in[1].values<float>();
  if (in[0].shape() == in[1].shape()) {
    std::transform(a.begin(), a.end(), b.begin(), sum.values().begin(), std::plus<>());
  } else {
    float* y = sum.values().data();
    add_rows(0, out, broadcast_strides(in[0].shape(), out), broadcast_strides(in[1].shape(), out),
             a.data(), b.data(), y);
  }
  return sum.take();
}

ir::Tensor run(const ir::Flatten& /*op*/, const Tensors& in, const ir::Shape& out) {
  return in[0].reshaped(out);
}

ir::Tensor run(const ir::Reshape& /*op*/, const Tensors& in, const ir::Shape& out) {
  return in[0].reshaped(out);
}

ir::Tensor run(const ir::Concat& op, const Tensors& in, const ir::Shape& out) {
  std::vector<std::byte> joined;
  joined.reserve(ir::TensorType{in[0].dtype(), out}.bytes());
  const auto axis = out.begin() + op.axis;
  const auto outer = static_cast<std::size_t>(ir::element_count(ir::Shape(out.begin(), axis)));
  for (std::size_t row = 0; row < outer; ++row) {
    for (const ir::Tensor& part : in) {
      const std::size_t run_bytes = part.bytes().size() / outer;
      const auto from = part.bytes().subspan(row * run_bytes, run_bytes);
      joined.insert(joined.end(), from.begin(), from.end());
    }
  }
  return {{in[0].dtype(), out}, own_bytes(std::move(joined))};
}

}  // namespace quantc::reference
