// The parameters of Quantize and Dequantize.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/dtype.h"

namespace quantc::ir {

/// How real numbers map to integers: r = (q - zero_point) * scale. One scale and zero point for the
/// whole tensor, or one for each index along `axis`.
struct QuantParams {
  DType dtype = DType::kInt8;
  std::int32_t qmin = -128;
  std::int32_t qmax = 127;
  std::vector<float> scale;
  std::vector<std::int32_t> zero_point;
  std::optional<std::int64_t> axis;
  bool operator==(const QuantParams&) const = default;
};

}  // namespace quantc::ir
