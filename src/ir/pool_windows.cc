#include "ir/pool_windows.h"

#include <algorithm>

namespace quantc::ir {
namespace {

struct Dimension {
  std::int64_t input, output, kernel, stride, pad_begin, pad_end;
};

std::vector<PoolWindow> windows(const Dimension& d, bool count_include_pad) {
  std::vector<PoolWindow> windows;
  for (std::int64_t i = 0; i < d.output; ++i) {
    const std::int64_t start = i * d.stride - d.pad_begin;
    const std::int64_t stop = std::min(start + d.kernel, d.input + d.pad_end);
    const std::int64_t begin = std::max<std::int64_t>(start, 0);
    const std::int64_t end = std::min(stop, d.input);
    windows.push_back({begin, end, count_include_pad ? stop - start : end - begin});
  }
  return windows;
}

}  // namespace

std::vector<PoolWindow> pool_windows_h(const AvgPool2d& pool, std::int64_t input,
                                       std::int64_t output) {
  return windows(
      {input, output, pool.kernel.h, pool.stride.h, pool.padding.top, pool.padding.bottom},
      pool.count_include_pad);
}

std::vector<PoolWindow> pool_windows_w(const AvgPool2d& pool, std::int64_t input,
                                       std::int64_t output) {
  return windows(
      {input, output, pool.kernel.w, pool.stride.w, pool.padding.left, pool.padding.right},
      pool.count_include_pad);
}

std::vector<PoolWindow> adaptive_windows(std::int64_t input, std::int64_t output) {
  std::vector<PoolWindow> windows;
  for (std::int64_t i = 0; i < output; ++i) {
    const std::int64_t begin = i * input / output;
    const std::int64_t end = ((i + 1) * input + output - 1) / output;
    windows.push_back({begin, end, end - begin});
  }
  return windows;
}

}  // namespace quantc::ir
