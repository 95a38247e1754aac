#include "frontend/checkpoint/float32.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"

namespace quantc::frontend {
namespace {

// IEEE 754 binary16 to binary32; every value is exact. The product moves the exponent's bias from
// 15 to 127 and makes subnormal numbers normal, without a branch, so that the loop is vectorized.
float widened_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  const float magnitude = std::bit_cast<float>(std::uint32_t{half & 0x7FFFU} << 13) * 0x1p112F;
  const std::uint32_t not_finite = (half & 0x7C00U) == 0x7C00U ? 0x7F800000U : 0U;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude) | not_finite);
}

float widened_bfloat16(std::uint16_t half) {
  return std::bit_cast<float>(std::uint32_t{half} << 16);
}

// `convert` is a lambda, not a function's address, so that it is inlined and vectorized.
template <typename Stored, typename Convert>
ir::Tensor converted(const ir::Tensor& tensor, Convert convert) {
  const auto count = static_cast<std::size_t>(tensor.elements());
  const auto values = std::make_shared<std::vector<float>>(count);
  const std::byte* from = tensor.bytes().data();
  for (std::size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, from + i * sizeof(Stored), sizeof(Stored));
    (*values)[i] = convert(stored);
  }
  return {{ir::DType::kFloat32, tensor.shape()}, {values, std::as_bytes(std::span(*values))}};
}

}  // namespace

ir::Tensor as_float32(const ir::Tensor& tensor) {
  switch (tensor.dtype()) {
    case ir::DType::kFloat32:
      return tensor;
    case ir::DType::kFloat16:
      return converted<std::uint16_t>(tensor, [](auto half) { return widened_half(half); });
    case ir::DType::kBFloat16:
      return converted<std::uint16_t>(tensor, [](auto half) { return widened_bfloat16(half); });
    case ir::DType::kFloat64:
      return converted<double>(tensor, [](double value) { return static_cast<float>(value); });
    default:
      throw UnsupportedError(
          fmt::format("expected floating point weights, found {}", ir::name_of(tensor.dtype())));
  }
}

}  // namespace quantc::frontend
