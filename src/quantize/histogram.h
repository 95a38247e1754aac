// A histogram whose range grows with the data, as PyTorch's HistogramObserver keeps it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "quantize/observer.h"

namespace quantc::quantize {

class Histogram {
 public:
  static constexpr std::size_t kBins = 2048;

  void add(std::span<const float> values, const Range& batch);

  bool empty() const { return counts_.empty(); }
  const Range& range() const { return range_; }
  const std::vector<float>& counts() const { return counts_; }

 private:
  Range range_;
  std::vector<float> counts_;
};

}  // namespace quantc::quantize
