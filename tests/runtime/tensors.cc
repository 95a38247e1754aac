#include "tensors.h"

namespace quantc::runtime {
namespace {

constexpr std::int32_t kChannelsBefore = 2;
constexpr std::int32_t kChannelsAfter = 3;

}  // namespace

Placement place(std::string_view layout, const Sizes& s) {
  const bool is_slice = layout.ends_with("_slice");
  const bool is_planar = layout.starts_with("planar");
  const std::int32_t channels = s.c + (is_slice ? kChannelsBefore + kChannelsAfter : 0);
  const std::int32_t plane = s.h * s.w;
  Placement p;
  if (is_planar) {
    p.layout = {s.n, s.c, s.h, s.w, channels * plane, plane, s.w, 1};
  } else {
    p.layout = {s.n, s.c, s.h, s.w, channels * plane, 1, s.w * channels, channels};
  }
  p.first = is_slice ? std::ptrdiff_t{kChannelsBefore} * p.layout.c_stride : 0;
  p.elements = std::ptrdiff_t{s.n} * channels * plane;
  return p;
}

qc_layout broadcast(const qc_layout& l, const Sizes& s) {
  return {s.n,
          s.c,
          s.h,
          s.w,
          l.n == s.n ? l.n_stride : 0,
          l.c == s.c ? l.c_stride : 0,
          l.h == s.h ? l.h_stride : 0,
          l.w == s.w ? l.w_stride : 0};
}

}  // namespace quantc::runtime
