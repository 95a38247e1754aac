#include "quantize/observer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.h"
#include "quantize/histogram.h"

namespace quantc::quantize {
namespace {

constexpr int kLevels = 256;

class MinMaxObserver : public Observer {
 public:
  Range range() const override {
    if (!seen_) throw InputError("no calibration data was seen");
    return range_;
  }

 protected:
  void update(std::span<const float> /*values*/, const Range& batch) override {
    range_ =
        seen_ ? Range{std::min(range_.min, batch.min), std::max(range_.max, batch.max)} : batch;
    seen_ = true;
  }

 private:
  Range range_;
  bool seen_ = false;
};

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

class HistogramBased : public Observer {
 public:
  Range range() const override {
    if (histogram_.empty()) throw InputError("no calibration data was seen");
    return range_of(histogram_, search(histogram_));
  }

 protected:
  void update(std::span<const float> values, const Range& batch) override {
    histogram_.add(values, batch);
  }
  virtual Bins search(const Histogram& histogram) const = 0;

 private:
  Histogram histogram_;
};

// PyTorch's HistogramObserver: both tails shrink by steps of 1e-5 of the mass; the side that skips
// more bins moves, until the error grows.
class HistogramObserver : public HistogramBased {
 protected:
  Bins search(const Histogram& histogram) const override {
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
    return bins;
  }
};

// The range that holds all but 1e-4 of the mass, half of it on either side.
class PercentileObserver : public HistogramBased {
 protected:
  Bins search(const Histogram& histogram) const override {
    constexpr double kTail = 0.5e-4;
    const auto& counts = histogram.counts();
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    Bins bins;
    for (double left = counts[0]; left <= kTail * total; left += counts[bins.first]) ++bins.first;
    for (double right = counts[bins.last]; right <= kTail * total && bins.last > bins.first;
         right += counts[bins.last]) {
      --bins.last;
    }
    return bins;
  }
};

// Of the ranges cut by steps of 1/128 on either side, the one with the least L2 error.
class MseObserver : public HistogramBased {
 protected:
  Bins search(const Histogram& histogram) const override {
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
    return best;
  }
};

}  // namespace

void Observer::observe(std::span<const float> values) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw InputError("expected finite values, found " + std::to_string(values[i]) + " at element " +
                     std::to_string(i));
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  update(values, {*least, *most});
}

ir::QuantParams params_of(const Range& range, const Scheme& scheme) {
  const float least = std::min(range.min, 0.0F);
  const float most = std::max(range.max, 0.0F);
  const auto steps = static_cast<float>(scheme.qmax - scheme.qmin);
  ir::QuantParams params{.qmin = scheme.qmin, .qmax = scheme.qmax};
  if (scheme.symmetric) {
    params.scale = {std::max(std::max(-least, most) / (steps / 2), scheme.eps)};
    params.zero_point = {0};
    return params;
  }
  const float scale = std::max((most - least) / steps, scheme.eps);
  const auto zero_point = scheme.qmin - static_cast<std::int32_t>(std::nearbyint(least / scale));
  params.scale = {scale};
  params.zero_point = {std::clamp(zero_point, scheme.qmin, scheme.qmax)};
  return params;
}

std::unique_ptr<Observer> make_observer(ObserverKind kind) {
  switch (kind) {
    case ObserverKind::kMinMax:
      return std::make_unique<MinMaxObserver>();
    case ObserverKind::kHistogram:
      return std::make_unique<HistogramObserver>();
    case ObserverKind::kPercentile:
      return std::make_unique<PercentileObserver>();
    case ObserverKind::kMse:
      return std::make_unique<MseObserver>();
  }
  throw InternalError("unknown observer");
}

}  // namespace quantc::quantize
