// The block that most mobile networks are made of: convolution, BatchNorm, activation.
#pragma once

#include <optional>

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

struct ConvNormActivation {
  std::int64_t out_channels = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t groups = 1;
  NormConfig norm;
  std::optional<ir::Op> activation;
};

/// A convolution `path`.0 without bias, padded so that stride 1 keeps the size, BatchNorm `path`.1,
/// and the activation, if there is one, `path`.2.
ir::ValueId conv_norm_activation(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                                 const ConvNormActivation& config);

/// `channels` to the nearest multiple of `divisor` that is at least 0.9 * channels, as in the
/// reference code of MobileNet; at least one multiple.
std::int64_t make_divisible(double channels, std::int64_t divisor);

}  // namespace quantc::frontend
