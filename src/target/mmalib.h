// What the MMALIB kernels can take, as data, and the fixed-point form of their multipliers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/ops.h"

namespace quantc::target {

/// Output channels of one library call.
constexpr std::int64_t kMmaChannelsPerCallStride1 = 1024;
constexpr std::int64_t kMmaChannelsPerCallStrided = 32;

/// Fully connected layers are padded to multiples of this in both directions.
constexpr std::int64_t kMmaFcMultiple = 32;

/// A convolution as the library sees it.
struct ConvGeometry {
  std::int64_t batch = 1;
  std::int64_t c_in = 0, h_in = 0, w_in = 0;
  std::int64_t c_out = 0, h_out = 0, w_out = 0;
  ir::Size2d kernel;
  ir::Conv2d conv;

  bool depthwise() const { return conv.groups == c_in && conv.groups == c_out && c_in > 1; }
};

/// Why the library cannot run this convolution, or nothing if it can.
std::optional<std::string> mma_refusal(const ConvGeometry& geometry);

/// A multiplier as the library applies it: value * scale >> shift.
struct MmaMultiplier {
  std::uint8_t scale = 1;
  std::uint8_t shift = 0;
  double value() const;
  bool operator==(const MmaMultiplier&) const = default;
};

/// The representable multiplier nearest to m; nothing if m is outside of [2^-31, 255].
std::optional<MmaMultiplier> nearest_multiplier(double m);

/// The smallest representable multiplier of at least m; nothing as above.
std::optional<MmaMultiplier> multiplier_above(double m);

/// What is folded into the bias, in codes of the output: its zero point and, for kernels that
/// truncate what they shift out, the half LSB that makes them round half up.
double mma_offset(const MmaMultiplier& multiplier, std::int32_t y_zero_point, bool truncates);

}  // namespace quantc::target
