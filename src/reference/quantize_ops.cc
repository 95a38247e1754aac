// Quantize and Dequantize as torch.ops.quantized_decomposed computes them.
#include <cmath>
#include <string>

#include "base/error.h"
#include "ir/quant_math.h"
#include "reference/kernels.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

// Calls body(first, count, channel) for each run of elements that share a scale.
template <typename Body>
void for_each_run(const ir::QuantParams& params, const ir::Shape& shape, Body body) {
  const auto count = static_cast<std::size_t>(ir::element_count(shape));
  if (!params.axis) return body(std::size_t{0}, count, std::size_t{0});
  const auto axis = static_cast<std::size_t>(*params.axis);
  const auto channels = static_cast<std::size_t>(shape[axis]);
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  for (std::size_t first = 0; first < count; first += inner) {
    body(first, inner, first / inner % channels);
  }
}

template <typename T>
ir::Tensor quantized(const ir::QuantParams& params, const ir::Tensor& x) {
  TensorBuilder<T> q(x.shape());
  for_each_run(params, x.shape(), [&](std::size_t first, std::size_t count, std::size_t channel) {
    const float inverse = ir::inverse_scale(params.scale[channel]);
    for (std::size_t i = first; i < first + count; ++i) {
      const float real = x.values<float>()[i];
      if (std::isnan(real)) throw InputError("a NaN at element " + std::to_string(i));
      q.values()[i] = static_cast<T>(ir::quantize_value(real, inverse, params.zero_point[channel],
                                                        params.qmin, params.qmax));
    }
  });
  return q.take();
}

template <typename T>
ir::Tensor dequantized(const ir::QuantParams& params, const ir::Tensor& q) {
  TensorBuilder<float> x(q.shape());
  const auto codes = q.values<T>();
  for_each_run(params, q.shape(), [&](std::size_t first, std::size_t count, std::size_t channel) {
    for (std::size_t i = first; i < first + count; ++i) {
      x.values()[i] =
          ir::dequantize_value(codes[i], params.scale[channel], params.zero_point[channel]);
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
  return with_code_type(op.params.dtype, [&](auto code) {
    return quantized<decltype(code)>(op.params, in[0]);
  });
}

ir::Tensor run(const ir::Dequantize& op, const Tensors& in, const ir::Shape& /*out*/) {
  return with_code_type(op.params.dtype, [&](auto code) {
    return dequantized<decltype(code)>(op.params, in[0]);
  });
}

}  // namespace quantc::reference
