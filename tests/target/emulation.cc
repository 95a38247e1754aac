#include "emulation.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "qc_mmalib.h"

namespace quantc::target {
namespace {

constexpr std::int32_t kPadFill = 3;

qc_mma_conv2d_params params_of(const ConvGeometry& g) {
  const auto i32 = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  const ir::Padding2d& pad = g.conv.padding;
  return {.c_in = i32(g.c_in),
          .h_in = i32(g.h_in),
          .w_in = i32(g.w_in),
          .c_out = i32(g.c_out),
          .h_out = i32(g.h_out),
          .w_out = i32(g.w_out),
          .kernel_h = i32(g.kernel.h),
          .kernel_w = i32(g.kernel.w),
          .stride = i32(g.conv.stride.h),
          .pad_top = i32(pad.top),
          .pad_left = i32(pad.left),
          .pad_bottom = i32(pad.bottom),
          .pad_right = i32(pad.right),
          .groups = i32(g.conv.groups),
          .pad_fill = kPadFill,
          .channels_per_call =
              i32(g.conv.stride.h == 1 ? kMmaChannelsPerCallStride1 : kMmaChannelsPerCallStrided)};
}

std::vector<std::int8_t> random_codes(std::int64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<std::int8_t> codes(static_cast<std::size_t>(count));
  for (std::int8_t& code : codes) code = static_cast<std::int8_t>(generator() % 15) - 7;
  return codes;
}

// Scale 1 and shift 6: codes of small integers stay within int8 mostly, and saturate alike.
std::int8_t requantized(std::int64_t sum) {
  const auto code = static_cast<std::int64_t>(std::floor(static_cast<double>(sum) / 64 + 0.5));
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(code, -128, 127));
}

std::vector<std::int8_t> naive(const ConvGeometry& g, const std::vector<std::int8_t>& x,
                               const std::vector<std::int8_t>& weights) {
  const std::int64_t group_in = g.c_in / g.conv.groups;
  const std::int64_t group_out = g.c_out / g.conv.groups;
  std::vector<std::int8_t> y;
  for (std::int64_t o = 0; o < g.c_out; ++o) {
    for (std::int64_t h = 0; h < g.h_out; ++h) {
      for (std::int64_t w = 0; w < g.w_out; ++w) {
        std::int64_t sum = 0;
        auto weight = weights.begin() + o * group_in * g.kernel.h * g.kernel.w;
        for (std::int64_t c = o / group_out * group_in; c < (o / group_out + 1) * group_in; ++c) {
          for (std::int64_t kh = 0; kh < g.kernel.h; ++kh) {
            for (std::int64_t kw = 0; kw < g.kernel.w; ++kw) {
              const std::int64_t row = h * g.conv.stride.h - g.conv.padding.top + kh;
              const std::int64_t column = w * g.conv.stride.w - g.conv.padding.left + kw;
              const bool inside = row >= 0 && row < g.h_in && column >= 0 && column < g.w_in;
              const auto at = static_cast<std::size_t>((c * g.h_in + row) * g.w_in + column);
              sum += std::int64_t{*weight++} * (inside ? x[at] : kPadFill);
            }
          }
        }
        y.push_back(requantized(sum));
      }
    }
  }
  return y;
}

}  // namespace

ConvGeometry with_output_size(ConvGeometry g) {
  const ir::Padding2d& pad = g.conv.padding;
  const auto size = [](std::int64_t in, std::int64_t pads, std::int64_t kernel, std::int64_t step,
                       std::int64_t stride) {
    return (in + pads - step * (kernel - 1) - 1) / stride + 1;
  };
  g.h_out = size(g.h_in, pad.top + pad.bottom, g.kernel.h, g.conv.dilation.h, g.conv.stride.h);
  g.w_out = size(g.w_in, pad.left + pad.right, g.kernel.w, g.conv.dilation.w, g.conv.stride.w);
  return g;
}

Convolution convolve(const ConvGeometry& g) {
  const qc_mma_conv2d_params p = params_of(g);
  const qc_mma_output out = {QC_MMA_HALF_UP, -128, 127};
  const auto x = random_codes(g.c_in * g.h_in * g.w_in, 1);
  const auto weights = random_codes(g.c_out * g.c_in / g.conv.groups * g.kernel.h * g.kernel.w, 2);
  const auto channels = static_cast<std::size_t>(g.c_out);
  const std::vector<std::int32_t> bias(channels, 0);
  const std::vector<std::uint8_t> scale(channels, 1);
  const std::vector<std::uint8_t> shift(channels, 6);
  std::vector<std::int32_t> scratch(qc_mma_conv2d_scratch_bytes(&p) / sizeof(std::int32_t));
  Convolution result;
  result.y.resize(static_cast<std::size_t>(g.c_out * g.h_out * g.w_out));
  const auto kernel = g.depthwise() ? qc_mma_depthwise_i8 : qc_mma_conv2d_i8;
  result.status =
      kernel(&p, &out, x.data(), weights.data(), bias.data(), scale.data(), shift.data(),
             reinterpret_cast<std::int8_t*>(scratch.data()), result.y.data());
  result.expected = naive(g, x, weights);
  return result;
}

}  // namespace quantc::target
