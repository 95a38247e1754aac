// Observers: what they see of a tensor during calibration becomes its range.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/ops.h"

namespace quantc::quantize {

struct Range {
  float min = 0;
  float max = 0;
};

/// How a range becomes a scale and a zero point.
struct Scheme {
  bool symmetric = false;
  std::int32_t qmin = -128;
  std::int32_t qmax = 127;
  float eps = 1.1920929e-07F;  ///< Smallest scale: float32's epsilon.
};

/// PyTorch's rule (torchao observers): the range is widened to contain 0; symmetric scale
/// max(-min, max) / ((qmax - qmin) / 2); affine scale (max - min) / (qmax - qmin), zero point
/// qmin - rne(min / scale), clamped.
ir::QuantParams params_of(const Range& range, const Scheme& scheme);

class Observer {
 public:
  virtual ~Observer() = default;

  /// Sees one batch; InputError on a NaN or an infinity.
  void observe(std::span<const float> values);

  /// What was seen, reduced to the range worth quantizing. InputError if nothing was.
  virtual Range range() const = 0;

 protected:
  virtual void update(std::span<const float> values, const Range& batch) = 0;
};

enum class ObserverKind : std::uint8_t { kMinMax, kHistogram, kPercentile, kMse, kEntropy };

std::unique_ptr<Observer> make_observer(ObserverKind kind);

}  // namespace quantc::quantize
