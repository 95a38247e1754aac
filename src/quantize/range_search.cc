#include "quantize/range_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace quantc::quantize {
namespace {

constexpr int kLevels = 256;

// Integral of density * x^2 over [begin, end].
double squared_error(double begin, double end, double density) {
  return density * (end * end * end - begin * begin * begin) / 3;
}

/// The L2 error of quantizing the histogram to 256 levels spread over bins [first, last]; mass is
/// uniform within a bin. What lies outside goes to the nearest level.
double quantization_error(const Histogram& histogram, std::size_t first, std::size_t last) {
  const double bins = Histogram::kBins;
  const double width = (double{histogram.range().max} - histogram.range().min) / bins;
  const double level = width * static_cast<double>(last - first + 1) / kLevels;
  if (level == 0) return 0;
  const auto level_of = [&](double x) {
    return std::clamp(std::floor(x / level), 0.0, static_cast<double>(kLevels - 1));
  };
  double error = 0;
  for (std::size_t i = 0; i < Histogram::kBins; ++i) {
    const double density = histogram.counts()[i] / width;
    const double begin = (static_cast<double>(i) - static_cast<double>(first)) * width;
    const double end = begin + width;
    const double begin_level = level_of(begin);
    const double end_level = level_of(end);
    error += squared_error(begin - (begin_level + 0.5) * level, level / 2, density);
    error += (end_level - begin_level - 1) * squared_error(-level / 2, level / 2, density);
    error += squared_error(-level / 2, end - (end_level + 0.5) * level, density);
  }
  return error;
}

struct Bins {
  std::size_t first = 0;
  std::size_t last = Histogram::kBins - 1;
  bool operator==(const Bins&) const = default;
};

Range range_of(const Histogram& histogram, const Bins& bins) {
  const Range& whole = histogram.range();
  const float width = (whole.max - whole.min) / static_cast<float>(Histogram::kBins);
  return {whole.min + width * static_cast<float>(bins.first),
          whole.min + width * static_cast<float>(bins.last + 1)};
}

// Counts of |x|, in as many bins from 0 to the largest magnitude. A bin of x goes where its middle
// goes.
std::vector<double> magnitude_counts(const Histogram& histogram, double largest) {
  constexpr auto kBins = static_cast<double>(Histogram::kBins);
  const Range& whole = histogram.range();
  const double width = (double{whole.max} - whole.min) / kBins;
  std::vector<double> counts(Histogram::kBins, 0);
  for (std::size_t i = 0; i < Histogram::kBins; ++i) {
    const double middle = whole.min + (static_cast<double>(i) + 0.5) * width;
    const auto bin = static_cast<std::size_t>(std::abs(middle) / largest * kBins);
    counts[std::min(bin, Histogram::kBins - 1)] += histogram.counts()[i];
  }
  return counts;
}

// KL(reference || quantized) of the first `kept` bins: what lies beyond is counted into the last
// one of the reference, and each level's mass is spread over its bins that hold any.
double divergence(std::span<const double> counts, std::size_t kept, std::size_t levels) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double inside =
      std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(kept), 0.0);
  double sum = 0;
  std::size_t bin = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    const std::size_t first = bin;
    double mass = 0;
    int filled = 0;
    for (; bin < kept && bin * levels < (level + 1) * kept; ++bin) {
      mass += counts[bin];
      filled += counts[bin] > 0 ? 1 : 0;
    }
    for (std::size_t i = first; i < bin; ++i) {
      const double reference = (counts[i] + (i + 1 == kept ? total - inside : 0.0)) / total;
      const double quantized = counts[i] > 0 ? mass / filled / inside : 0.0;
      if (reference > 0) sum += reference * std::log(reference / quantized);
    }
  }
  return sum;
}

}  // namespace

Range pytorch_range(const Histogram& histogram) {
  constexpr double kStep = 1e-5;
  std::vector<double> sums(histogram.counts().begin(), histogram.counts().end());
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  const double total = sums.back();
  Bins bins;
  double least = std::numeric_limits<double>::infinity();
  for (double alpha = 0, beta = 1; alpha < beta;) {
    Bins next = bins;
    while (next.first < bins.last && sums[next.first] < (alpha + kStep) * total) ++next.first;
    while (next.last > bins.first && sums[next.last] > (beta - kStep) * total) --next.last;
    if (next.first - bins.first > bins.last - next.last) {
      next.last = bins.last;
      alpha += kStep;
    } else {
      next.first = bins.first;
      beta -= kStep;
    }
    if (next == bins) continue;
    const double error = quantization_error(histogram, next.first, next.last);
    if (error > least) break;
    least = error;
    bins = next;
  }
  return range_of(histogram, bins);
}

Range percentile_range(const Histogram& histogram) {
  constexpr double kTail = 0.5e-4;
  const auto& counts = histogram.counts();
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  Bins bins;
  for (double left = counts[0]; left <= kTail * total; left += counts[bins.first]) ++bins.first;
  for (double right = counts[bins.last]; right <= kTail * total && bins.last > bins.first;
       right += counts[bins.last]) {
    --bins.last;
  }
  return range_of(histogram, bins);
}

Range least_squares_range(const Histogram& histogram) {
  constexpr std::size_t kStep = Histogram::kBins / 128;
  Bins best;
  double least = quantization_error(histogram, best.first, best.last);
  for (bool moved = true; moved;) {
    moved = false;
    const Bins cuts[] = {{best.first + kStep, best.last}, {best.first, best.last - kStep}};
    for (const Bins& cut : cuts) {
      if (cut.first + kStep >= cut.last) continue;
      const double error = quantization_error(histogram, cut.first, cut.last);
      if (error >= least) continue;
      least = error;
      best = cut;
      moved = true;
      break;
    }
  }
  return range_of(histogram, best);
}

std::size_t least_divergence_bins(std::span<const double> counts, std::size_t levels) {
  std::size_t best = counts.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t kept = levels; kept <= counts.size(); ++kept) {
    const double found = divergence(counts, kept, levels);
    if (found > least) continue;
    least = found;
    best = kept;
  }
  return best;
}

Range entropy_range(const Histogram& histogram) {
  const Range& whole = histogram.range();
  const float largest = std::max(std::abs(whole.min), std::abs(whole.max));
  if (whole.min == whole.max) return whole;
  const std::size_t levels = whole.min >= 0 || whole.max <= 0 ? kLevels : kLevels / 2;
  const std::size_t kept = least_divergence_bins(magnitude_counts(histogram, largest), levels);
  const float bound = largest * static_cast<float>(kept) / static_cast<float>(Histogram::kBins);
  return {std::max(whole.min, -bound), std::min(whole.max, bound)};
}

}  // namespace quantc::quantize
