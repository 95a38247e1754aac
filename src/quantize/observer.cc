#include "quantize/observer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "quantize/histogram.h"
#include "quantize/range_search.h"

namespace quantc::quantize {
namespace {

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

class HistogramObserver : public Observer {
 public:
  using Search = Range (*)(const Histogram&);
  explicit HistogramObserver(Search search) : search_(search) {}

  Range range() const override {
    if (histogram_.empty()) throw InputError("no calibration data was seen");
    return search_(histogram_);
  }

 protected:
  void update(std::span<const float> values, const Range& batch) override {
    histogram_.add(values, batch);
  }

 private:
  Search search_;
  Histogram histogram_;
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
      return std::make_unique<HistogramObserver>(pytorch_range);
    case ObserverKind::kPercentile:
      return std::make_unique<HistogramObserver>(percentile_range);
    case ObserverKind::kMse:
      return std::make_unique<HistogramObserver>(least_squares_range);
    case ObserverKind::kEntropy:
      return std::make_unique<HistogramObserver>(entropy_range);
  }
  throw InternalError("unknown observer");
}

}  // namespace quantc::quantize
