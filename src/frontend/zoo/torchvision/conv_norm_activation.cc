#include "frontend/zoo/torchvision/conv_norm_activation.h"

#include <algorithm>

namespace quantc::frontend {

ir::ValueId conv_norm_activation(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                                 const ConvNormActivation& config) {
  const std::int64_t padding = (config.kernel - 1) / 2;
  x = b.conv(path + ".0", x,
             {.out_channels = config.out_channels,
              .kernel = {config.kernel, config.kernel},
              .stride = {config.stride, config.stride},
              .padding = {padding, padding},
              .groups = config.groups,
              .bias = false});
  x = b.batch_norm(path + ".1", x, config.norm);
  return config.activation ? b.apply(path + ".2", *config.activation, {x}) : x;
}

std::int64_t make_divisible(double channels, std::int64_t divisor) {
  const auto half_up = static_cast<std::int64_t>(channels + static_cast<double>(divisor) / 2);
  const std::int64_t rounded = std::max(divisor, half_up / divisor * divisor);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + divisor : rounded;
}

}  // namespace quantc::frontend
