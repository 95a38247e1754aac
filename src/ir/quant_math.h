// The arithmetic of quantization for one number, in IEEE float32, as PyTorch's PT2E ops compute it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ir/ops.h"

namespace quantc::ir {

/// float32(1 / scale), the factor that quantization multiplies with.
inline float inverse_scale(float scale) {
  return static_cast<float>(1.0 / static_cast<double>(scale));
}

/// clamp(rne(real * inverse) + zero_point, qmin, qmax). `real` must not be NaN; the caller has
/// looked. Infinite and huge values saturate.
inline std::int32_t quantize_value(float real, float inverse, std::int32_t zero_point,
                                   std::int32_t qmin, std::int32_t qmax) {
  // In double the sum is exact, and int32 bounds are representable.
  const double code = static_cast<double>(std::nearbyint(real * inverse)) + zero_point;
  return static_cast<std::int32_t>(
      std::clamp(code, static_cast<double>(qmin), static_cast<double>(qmax)));
}

/// As above for a tensor with one scale.
inline std::int32_t quantize_value(float real, const QuantParams& params) {
  return quantize_value(real, inverse_scale(params.scale.at(0)), params.zero_point.at(0),
                        params.qmin, params.qmax);
}

/// (code - zero_point) * scale.
inline float dequantize_value(std::int32_t code, float scale, std::int32_t zero_point) {
  return static_cast<float>(std::int64_t{code} - zero_point) * scale;
}

}  // namespace quantc::ir
