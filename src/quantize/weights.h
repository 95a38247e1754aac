// Integer weights and biases.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/ops.h"
#include "ir/tensor.h"

namespace quantc::quantize {

/// What a layer's weight scales must satisfy beyond covering its weights.
struct WeightScheme {
  std::int32_t qmin = -127;
  std::int32_t qmax = 127;
  float x_scale = 1;
  float y_scale = 1;
  bool fits_bias = true;  ///< Raise a channel's scale until its bias fits int32 accumulators.
  bool mma_multipliers = false;  ///< Raise it until x_scale * s / y_scale is scale / 2^shift.
};

struct IntegerWeights {
  ir::Tensor codes;                  ///< int8, shape of the weight.
  ir::QuantParams params;            ///< Per output channel, axis 0.
  std::vector<std::int64_t> raised;  ///< Channels whose scale was raised for their bias.
};

/// Symmetric per-channel weights: max|w| / ((qmax - qmin) / 2) for each output channel (axis 0); a
/// channel of zeros gets the layer's largest scale. `bias` may be empty.
IntegerWeights quantize_weights(const ir::Tensor& weight, std::span<const float> bias,
                                const WeightScheme& scheme);

/// Int32 bias with scale x_scale * s_w[c].
IntegerWeights quantize_bias(const ir::Tensor& bias, const ir::QuantParams& weight_params,
                             float x_scale);

/// The float bias that MMALIB really adds to a layer with exact multipliers: it folds the output's
/// zero point (and half an LSB if it truncates) into the bias and rounds the sum to accumulator
/// units. `bias` may be empty (zeros).
ir::Tensor mma_bias(std::span<const float> bias, const ir::QuantParams& weight_params,
                    float x_scale, const ir::QuantParams& y, bool truncates);

}  // namespace quantc::quantize
