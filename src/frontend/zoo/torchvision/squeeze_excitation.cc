#include "frontend/zoo/torchvision/squeeze_excitation.h"

namespace quantc::frontend {

ir::ValueId squeeze_excitation(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                               const SqueezeExcitation& config) {
  ir::ValueId scale = b.adaptive_avg_pool(path + ".avgpool", x, 1);
  scale = b.conv(path + ".fc1", scale, {.out_channels = config.squeeze_channels});
  scale = b.apply(path + ".activation", config.activation, {scale});
  scale = b.conv(path + ".fc2", scale, {.out_channels = b.channels(x)});
  scale = b.apply(path + ".scale_activation", config.gate, {scale});
  return b.apply(path + ".mul", ir::Mul{}, {scale, x});
}

}  // namespace quantc::frontend
