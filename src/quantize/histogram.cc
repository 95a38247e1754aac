#include "quantize/histogram.h"

#include <algorithm>
#include <numeric>

namespace quantc::quantize {
namespace {

constexpr std::size_t kUpsampleRate = 16;

// torch.histc in float32; the right edge belongs to the last bin. A range of one value is widened
// by 1 on both sides.
std::vector<float> histc(std::span<const float> values, Range range) {
  if (range.min == range.max) {
    range.min -= 1;
    range.max += 1;
  }
  constexpr auto kBins = Histogram::kBins;
  std::vector<std::size_t> counts(kBins, 0);
  for (const float value : values) {
    if (value < range.min || value > range.max) continue;
    const auto position = static_cast<std::size_t>((value - range.min) / (range.max - range.min) *
                                                   static_cast<float>(kBins));
    ++counts[std::min(position, kBins - 1)];
  }
  return {counts.begin(), counts.end()};
}

// torch.linspace in float32: the upper half counts from the end.
float linspace_at(float start, float end, std::size_t steps, std::size_t i) {
  const float step = (end - start) / static_cast<float>(steps - 1);
  return i < steps / 2 ? start + step * static_cast<float>(i)
                       : end - step * static_cast<float>(steps - 1 - i);
}

// The old counts in the bins of a wider range: each old bin is cut in 16, and each part goes to the
// new bin that holds its middle.
std::vector<float> rebinned(const std::vector<float>& counts, const Range& old_range,
                            const Range& new_range) {
  constexpr auto kBins = Histogram::kBins;
  std::vector<float> boundaries(kBins + 1);
  for (std::size_t i = 0; i <= kBins; ++i) {
    boundaries[i] = linspace_at(new_range.min, new_range.max, kBins + 1, i);
  }
  const std::size_t parts = kBins * kUpsampleRate;
  const float width = (old_range.max - old_range.min) / static_cast<float>(parts);
  std::vector<double> moved(kBins, 0);
  for (std::size_t i = 0; i < parts; ++i) {
    const float middle = linspace_at(old_range.min, old_range.max, parts + 1, i) + 0.5F * width;
    const auto above = std::upper_bound(boundaries.begin(), boundaries.end(), middle);
    const auto bin = std::clamp<std::ptrdiff_t>(above - boundaries.begin() - 1, 0, kBins - 1);
    moved[static_cast<std::size_t>(bin)] +=
        counts[i / kUpsampleRate] / static_cast<float>(kUpsampleRate);
  }
  return {moved.begin(), moved.end()};
}

std::vector<float> carried_over(const std::vector<float>& counts, const Range& old_range,
                                const Range& new_range) {
  if (old_range.min == new_range.min && old_range.max == new_range.max) return counts;
  if (old_range.min != old_range.max) return rebinned(counts, old_range, new_range);
  std::vector<float> moved = histc({&old_range.min, 1}, new_range);
  const float total = std::accumulate(counts.begin(), counts.end(), 0.0F);
  for (float& count : moved) count *= total;
  return moved;
}

}  // namespace

void Histogram::add(std::span<const float> values, const Range& batch) {
  if (counts_.empty()) {
    range_ = batch;
    counts_ = histc(values, range_);
    return;
  }
  const Range wider{std::min(range_.min, batch.min), std::max(range_.max, batch.max)};
  const std::vector<float> added = histc(values, wider);
  counts_ = carried_over(counts_, range_, wider);
  std::transform(counts_.begin(), counts_.end(), added.begin(), counts_.begin(), std::plus<>());
  range_ = wider;
}

}  // namespace quantc::quantize
