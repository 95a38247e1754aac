#include "quantize/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/quant_math.h"
#include "reference/executor.h"
#include "target/mmalib.h"

namespace quantc::quantize {
namespace {

// Half of int32's range is left for the products and folded zero points.
constexpr float kMaxBiasCode = 1 << 30;

// Below this a channel adds less than 1/2048 of a code per accumulator unit whatever its inputs;
// raising such a multiplier costs nothing and keeps its folded zero point within int32.
constexpr double kLeastMultiplier = 0x1p-20;

float largest_magnitude(std::span<const float> values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::abs(value));
  return most;
}

std::vector<float> covering_scales(const ir::Tensor& weight, const WeightScheme& scheme) {
  const auto values = weight.values<float>();
  const auto channels = static_cast<std::size_t>(weight.shape().at(0));
  const std::size_t row = values.size() / channels;
  const float half_steps = static_cast<float>(scheme.qmax - scheme.qmin) / 2;
  std::vector<float> scales;
  for (std::size_t c = 0; c < channels; ++c) {
    scales.push_back(largest_magnitude(values.subspan(c * row, row)) / half_steps);
  }
  const float largest = *std::max_element(scales.begin(), scales.end());
  const float least = std::numeric_limits<float>::epsilon();
  for (float& scale : scales) {
    if (scale == 0) scale = largest;
    scale = std::max(scale, least);
  }
  return scales;
}

// s such that x_scale * s / y_scale is the next multiplier MMALIB has.
float snapped(float scale, const WeightScheme& scheme) {
  const double ratio = static_cast<double>(scheme.x_scale) / scheme.y_scale;
  // A scale that was snapped before must not move to the next one.
  const double wanted = std::max(scale * ratio * (1 - 1e-6), kLeastMultiplier);
  const auto multiplier = target::multiplier_above(wanted);
  return multiplier ? static_cast<float>(multiplier->value() / ratio) : scale;
}

}  // namespace

IntegerWeights quantize_weights(const ir::Tensor& weight, std::span<const float> bias,
                                const WeightScheme& scheme) {
  IntegerWeights result;
  std::vector<float> scales = covering_scales(weight, scheme);
  for (std::size_t c = 0; c < scales.size(); ++c) {
    if (scheme.fits_bias && c < bias.size()) {
      const float needed = std::abs(bias[c]) / scheme.x_scale / kMaxBiasCode;
      if (needed > scales[c]) {
        scales[c] = needed;
        result.raised.push_back(static_cast<std::int64_t>(c));
      }
    }
    if (scheme.mma_multipliers) scales[c] = snapped(scales[c], scheme);
  }
  result.params = {.qmin = scheme.qmin, .qmax = scheme.qmax};
  result.params.zero_point.assign(scales.size(), 0);
  result.params.scale = std::move(scales);
  result.params.axis = 0;
  result.codes = reference::evaluate(ir::Quantize{result.params}, {weight});
  return result;
}

IntegerWeights quantize_bias(const ir::Tensor& bias, const ir::QuantParams& weight_params,
                             float x_scale) {
  IntegerWeights result;
  result.params = {.dtype = ir::DType::kInt32,
                   .qmin = -std::numeric_limits<std::int32_t>::max(),
                   .qmax = std::numeric_limits<std::int32_t>::max(),
                   .scale = weight_params.scale,
                   .zero_point = weight_params.zero_point,
                   .axis = 0};
  std::vector<std::int32_t> codes;
  for (std::size_t c = 0; c < result.params.scale.size(); ++c) {
    result.params.scale[c] *= x_scale;
    // In double: the product with a reciprocal in float32 would lose bits of large codes.
    const double code = static_cast<double>(bias.values<float>()[c]) / result.params.scale[c];
    codes.push_back(static_cast<std::int32_t>(std::nearbyint(code)));
  }
  result.codes = ir::Tensor::of(bias.shape(), codes);
  return result;
}

ir::Tensor mma_bias(std::span<const float> bias, const ir::QuantParams& weight_params,
                    float x_scale, const ir::QuantParams& y, bool truncates) {
  const double y_scale = y.scale.at(0);
  std::vector<float> added;
  for (std::size_t c = 0; c < weight_params.scale.size(); ++c) {
    const double unit = weight_params.scale[c] * x_scale;
    const double wanted = bias.empty() ? 0.0 : bias[c] / unit;
    const auto multiplier = target::nearest_multiplier(unit / y_scale);
    // A layer without a multiplier does not run on the library.
    const double codes =
        multiplier ? target::mma_offset(*multiplier, y.zero_point.at(0), truncates) : 0.0;
    const double offset = codes * y_scale / unit;
    added.push_back(static_cast<float>((std::nearbyint(wanted + offset) - offset) * unit));
  }
  return ir::Tensor::of({static_cast<std::int64_t>(added.size())}, added);
}

}  // namespace quantc::quantize
