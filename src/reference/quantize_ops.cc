// Quantize and Dequantize as torch.ops.quantized_decomposed computes them.
#include <cmath>
#include <limits>
#include <string>

#include "base/error.h"
#include "ir/quant_math.h"
#include "reference/kernels.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

std::string interval(std::int64_t low, std::int64_t high) {
  return "[" + std::to_string(low) + "," + std::to_string(high) + "]";
}

// Number of elements along `axis`, or 1.
std::size_t channel_count(const ir::QuantParams& params, const ir::Shape& shape) {
  if (!params.axis) return 1;
  if (*params.axis < 0 || *params.axis >= static_cast<std::int64_t>(shape.size())) {
    throw UnsupportedError("expected an axis of " + ir::to_string(shape) + ", found " +
                           std::to_string(*params.axis));
  }
  return static_cast<std::size_t>(shape[static_cast<std::size_t>(*params.axis)]);
}

template <typename Code>
void require_usable(const ir::QuantParams& params, const ir::Shape& shape) {
  const std::size_t channels = channel_count(params, shape);
  if (params.scale.size() != channels || params.zero_point.size() != channels) {
    throw UnsupportedError("expected " + std::to_string(channels) +
                           " scales and zero points, found " + std::to_string(params.scale.size()) +
                           " and " + std::to_string(params.zero_point.size()));
  }
  using Limits = std::numeric_limits<Code>;
  if (params.qmin < Limits::min() || params.qmax > Limits::max() || params.qmin > params.qmax) {
    throw UnsupportedError("expected a range of codes inside " +
                           interval(Limits::min(), Limits::max()) + ", found " +
                           interval(params.qmin, params.qmax));
  }
}

// Calls body(first, count, channel) for each run of elements that share a scale.
template <typename Body>
void for_each_run(const ir::QuantParams& params, const ir::Shape& shape, Body body) {
  const auto count = static_cast<std::size_t>(ir::element_count(shape));
  const std::size_t channels = channel_count(params, shape);
  if (!params.axis) return body(std::size_t{0}, count, std::size_t{0});
  std::size_t inner = 1;
  for (auto i = static_cast<std::size_t>(*params.axis) + 1; i < shape.size(); ++i) {
    inner *= static_cast<std::size_t>(shape[i]);
  }
  for (std::size_t first = 0; first < count; first += inner) {
    body(first, inner, first / inner % channels);
  }
}

template <typename Code>
ir::Tensor quantized(const ir::QuantParams& params, const ir::Tensor& x) {
  require_usable<Code>(params, x.shape());
  TensorBuilder<Code> q(x.shape());
  const auto reals = x.values<float>();
  const auto codes = q.values();
  for_each_run(params, x.shape(), [&](std::size_t first, std::size_t count, std::size_t channel) {
    const float inverse = ir::inverse_scale(params.scale[channel]);
    const std::int32_t zero_point = params.zero_point[channel];
    for (std::size_t i = first; i < first + count; ++i) {
      // The product: 0 * inf, from a scale that has no finite inverse, is no number either.
      if (std::isnan(reals[i] * inverse)) {
        throw InputError("expected numbers, found NaN at element " + std::to_string(i) +
                         "; look for a non-finite weight or input");
      }
      codes[i] = static_cast<Code>(
          ir::quantize_value(reals[i], inverse, zero_point, params.qmin, params.qmax));
    }
  });
  return q.take();
}

template <typename Code>
ir::Tensor dequantized(const ir::QuantParams& params, const ir::Tensor& q) {
  require_usable<Code>(params, q.shape());
  TensorBuilder<float> x(q.shape());
  const auto codes = q.values<Code>();
  const auto reals = x.values();
  for_each_run(params, q.shape(), [&](std::size_t first, std::size_t count, std::size_t channel) {
    const float scale = params.scale[channel];
    const std::int32_t zero_point = params.zero_point[channel];
    for (std::size_t i = first; i < first + count; ++i) {
      reals[i] = ir::dequantize_value(codes[i], scale, zero_point);
    }
  });
  return x.take();
}

// Calls body with a value of the C++ type of a code.
template <typename Body>
ir::Tensor with_code_type(ir::DType dtype, Body body) {
  switch (dtype) {
    case ir::DType::kInt8:
      return body(std::int8_t{});
    case ir::DType::kUInt8:
      return body(std::uint8_t{});
    case ir::DType::kInt16:
      return body(std::int16_t{});
    case ir::DType::kInt32:
      return body(std::int32_t{});
    default:
      throw UnsupportedError("expected codes of i8, u8, i16 or i32, found " +
                             std::string(ir::name_of(dtype)));
  }
}

}  // namespace

ir::Tensor run(const ir::Quantize& op, const Tensors& in, const ir::Shape& /*out*/) {
  return with_code_type(op.params.dtype,
                        [&](auto code) { return quantized<decltype(code)>(op.params, in[0]); });
}

ir::Tensor run(const ir::Dequantize& op, const Tensors& in, const ir::Shape& /*out*/) {
  return with_code_type(op.params.dtype,
                        [&](auto code) { return dequantized<decltype(code)>(op.params, in[0]); });
}

}  // namespace quantc::reference
