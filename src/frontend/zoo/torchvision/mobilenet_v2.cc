// MobileNetV2 (Sandler et al. 2018).
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

struct Stage {
  std::int64_t expansion, channels, repeats, stride;
};

constexpr std::array<Stage, 7> kStages = {{{1, 16, 1, 1},
                                           {6, 24, 2, 2},
                                           {6, 32, 3, 2},
                                           {6, 64, 4, 2},
                                           {6, 96, 3, 1},
                                           {6, 160, 3, 2},
                                           {6, 320, 1, 1}}};

ir::ValueId conv_bn_relu6(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                          ConvConfig config) {
  config.bias = false;
  x = b.batch_norm(path + ".1", b.conv(path + ".0", x, config));
  return b.relu6(path + ".2", x);
}

ir::ValueId inverted_residual(ModuleBuilder& b, const std::string& path, ir::ValueId input,
                              const Stage& stage, std::int64_t stride) {
  const bool residual = stride == 1 && b.channels(input) == stage.channels;
  const std::int64_t hidden = b.channels(input) * stage.expansion;
  int index = 0;
  const auto next = [&] { return path + ".conv." + std::to_string(index++); };
  ir::ValueId x = input;
  if (stage.expansion != 1) x = conv_bn_relu6(b, next(), x, {.out_channels = hidden});
  x = conv_bn_relu6(b, next(), x,
                    {.out_channels = hidden,
                     .kernel = {3, 3},
                     .stride = {stride, stride},
                     .padding = {1, 1},
                     .groups = hidden});
  x = b.conv(next(), x, {.out_channels = stage.channels, .bias = false});
  x = b.batch_norm(next(), x, {.ends_residual_branch = residual});
  return residual ? b.add(path + ".add", input, x) : x;
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MobileNetV2Config& /*config*/) {
  x = conv_bn_relu6(b, "features.0", x,
                    {.out_channels = 32, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  int index = 1;
  for (const Stage& stage : kStages) {
    for (std::int64_t i = 0; i < stage.repeats; ++i) {
      const std::string path = "features." + std::to_string(index++);
      x = inverted_residual(b, path, x, stage, i == 0 ? stage.stride : 1);
    }
  }
  x = conv_bn_relu6(b, "features.18", x, {.out_channels = 1280});
  x = b.flatten("flatten", b.adaptive_avg_pool("pool", x, 1));
  return b.linear("classifier.1", x, kImageNetClasses);
}

}  // namespace quantc::frontend
