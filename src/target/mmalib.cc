#include "target/mmalib.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quantc::target {
namespace {

constexpr int kMaxShift = 31;
constexpr int kMaxScale = 255;

struct StridedKernel {
  std::int64_t kernel;
  std::int64_t stride;
};

// Kernel and stride pairs of the optimized library beyond stride 1.
constexpr std::array<StridedKernel, 6> kStridedKernels = {
    {{1, 2}, {3, 2}, {3, 3}, {5, 2}, {7, 2}, {11, 4}}};

// Depthwise kernels; the largest stride each of them has.
constexpr std::array<StridedKernel, 3> kDepthwiseKernels = {{{3, 2}, {5, 2}, {7, 1}}};

std::string kernel_text(const ConvGeometry& g) {
  return fmt::format("{}x{} at stride {}", g.kernel.h, g.kernel.w, g.conv.stride.h);
}

std::optional<std::string> depthwise_refusal(const ConvGeometry& g) {
  const bool listed = std::any_of(
      kDepthwiseKernels.begin(), kDepthwiseKernels.end(), [&](const StridedKernel& row) {
        return g.kernel == ir::Size2d{row.kernel, row.kernel} && g.conv.stride.h <= row.stride;
      });
  if (listed) return std::nullopt;
  return fmt::format("no depthwise kernel for {}", kernel_text(g));
}

std::optional<std::string> strided_refusal(const ConvGeometry& g) {
  const bool listed =
      std::any_of(kStridedKernels.begin(), kStridedKernels.end(), [&](const StridedKernel& row) {
        return g.kernel == ir::Size2d{row.kernel, row.kernel} && g.conv.stride.h == row.stride;
      });
  if (!listed) return fmt::format("no kernel for {}", kernel_text(g));
  const ir::Padding2d& pad = g.conv.padding;
  const std::int64_t half = (g.kernel.h - 1) / 2;
  if (pad.top != 0 && pad.bottom != 0 && pad.bottom != half) {
    return fmt::format("{} with padding {} at the bottom (0 or {})", kernel_text(g), pad.bottom,
                       half);
  }
  if (g.kernel.w == 1 && pad.left != pad.right) {
    return fmt::format("{} with unequal padding left and right", kernel_text(g));
  }
  return std::nullopt;
}

// The library computes whole planes with the pitch of the input; what it makes beyond the columns
// of the output must not exceed the output plane.
std::optional<std::string> stride1_refusal(const ConvGeometry& g) {
  const bool valid_padding = g.conv.padding == ir::Padding2d{};
  if (!valid_padding || g.kernel == ir::Size2d{1, 1}) return std::nullopt;
  const std::int64_t computed = g.h_in * g.w_in - g.w_in * (g.kernel.h - 1) - (g.kernel.w - 1);
  if (computed <= g.h_out * g.w_out) return std::nullopt;
  return fmt::format("{} without padding computes {} columns for an output of {}", kernel_text(g),
                     computed, g.h_out * g.w_out);
}

}  // namespace

std::optional<std::string> mma_refusal(const ConvGeometry& g) {
  if (g.batch != 1) return fmt::format("batch {} (1)", g.batch);
  if (g.conv.dilation != ir::Size2d{1, 1}) return "dilation";
  if (g.conv.stride.h != g.conv.stride.w) return "unequal strides";
  if (g.depthwise()) return depthwise_refusal(g);
  return g.conv.stride.h > 1 ? strided_refusal(g) : stride1_refusal(g);
}

double MmaMultiplier::value() const { return std::ldexp(scale, -shift); }

namespace {

// Rounds m * 2^shift at the largest shift at which it fits into the scale.
template <typename Round>
std::optional<MmaMultiplier> representable(double m, Round round) {
  if (!(m >= std::ldexp(1.0, -kMaxShift)) || m > kMaxScale) return std::nullopt;
  for (int shift = kMaxShift; shift >= 0; --shift) {
    const double scale = round(std::ldexp(m, shift));
    if (scale <= kMaxScale) {
      return MmaMultiplier{static_cast<std::uint8_t>(scale), static_cast<std::uint8_t>(shift)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<MmaMultiplier> nearest_multiplier(double m) {
  return representable(m, [](double scaled) { return std::nearbyint(scaled); });
}

std::optional<MmaMultiplier> multiplier_above(double m) {
  return representable(m, [](double scaled) { return std::ceil(scaled); });
}

double mma_offset(const MmaMultiplier& multiplier, std::int32_t y_zero_point, bool truncates) {
  return y_zero_point + (truncates && multiplier.shift > 0 ? 0.5 : 0.0);
}

}  // namespace quantc::target
