// EfficientNet (Tan, Le 2019) and EfficientNetV2 (Tan, Le 2021).
#include <cmath>
#include <span>

#include "frontend/zoo/torchvision/conv_norm_activation.h"
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/squeeze_excitation.h"

namespace quantc::frontend {
namespace {

enum class Block : std::uint8_t { kMbConv, kFusedMbConv };
using enum Block;

struct Stage {
  Block block;
  std::int64_t expansion, kernel, stride, channels, repeats;
};

constexpr std::int64_t kB0StemChannels = 32;
constexpr std::array<Stage, 7> kB0 = {{{kMbConv, 1, 3, 1, 16, 1},
                                       {kMbConv, 6, 3, 2, 24, 2},
                                       {kMbConv, 6, 5, 2, 40, 2},
                                       {kMbConv, 6, 3, 2, 80, 3},
                                       {kMbConv, 6, 5, 1, 112, 3},
                                       {kMbConv, 6, 5, 2, 192, 4},
                                       {kMbConv, 6, 3, 1, 320, 1}}};

constexpr std::array<Stage, 6> kV2Small = {{{kFusedMbConv, 1, 3, 1, 24, 2},
                                            {kFusedMbConv, 4, 3, 2, 48, 4},
                                            {kFusedMbConv, 4, 3, 2, 64, 4},
                                            {kMbConv, 4, 3, 2, 128, 6},
                                            {kMbConv, 6, 3, 1, 160, 9},
                                            {kMbConv, 6, 3, 2, 256, 15}}};

constexpr std::array<Stage, 7> kV2Medium = {{{kFusedMbConv, 1, 3, 1, 24, 3},
                                             {kFusedMbConv, 4, 3, 2, 48, 5},
                                             {kFusedMbConv, 4, 3, 2, 80, 5},
                                             {kMbConv, 4, 3, 2, 160, 7},
                                             {kMbConv, 6, 3, 1, 176, 14},
                                             {kMbConv, 6, 3, 2, 304, 18},
                                             {kMbConv, 6, 3, 1, 512, 5}}};

constexpr std::array<Stage, 7> kV2Large = {{{kFusedMbConv, 1, 3, 1, 32, 4},
                                            {kFusedMbConv, 4, 3, 2, 64, 7},
                                            {kFusedMbConv, 4, 3, 2, 96, 7},
                                            {kMbConv, 4, 3, 2, 192, 10},
                                            {kMbConv, 6, 3, 1, 224, 19},
                                            {kMbConv, 6, 3, 2, 384, 25},
                                            {kMbConv, 6, 3, 1, 640, 7}}};

std::span<const Stage> stages_of(EfficientNetV2Config::Size size) {
  switch (size) {
    case EfficientNetV2Config::kSmall:
      return kV2Small;
    case EfficientNetV2Config::kMedium:
      return kV2Medium;
    case EfficientNetV2Config::kLarge:
      return kV2Large;
  }
  return {};
}

// The numbers of one block within its stage.
struct BlockConfig {
  const Stage& stage;
  std::int64_t stride;
  NormConfig norm;
};

ir::ValueId mb_conv(ModuleBuilder& b, const std::string& path, ir::ValueId input,
                    const BlockConfig& config) {
  const std::int64_t hidden = b.channels(input) * config.stage.expansion;
  int index = 0;
  const auto next = [&] { return path + ".block." + std::to_string(index++); };
  ir::ValueId x = input;
  if (config.stage.expansion != 1) {
    x = conv_norm_activation(
        b, next(), x,
        {.out_channels = hidden, .norm = {.eps = config.norm.eps}, .activation = ir::Silu{}});
  }
  x = conv_norm_activation(b, next(), x,
                           {.out_channels = hidden,
                            .kernel = config.stage.kernel,
                            .stride = config.stride,
                            .groups = hidden,
                            .norm = {.eps = config.norm.eps},
                            .activation = ir::Silu{}});
  x = squeeze_excitation(b, next(), x,
                         {.squeeze_channels = b.channels(input) / 4, .activation = ir::Silu{}});
  return conv_norm_activation(b, next(), x,
                              {.out_channels = config.stage.channels, .norm = config.norm});
}

// An MBConv whose expansion and depthwise convolution are one.
ir::ValueId fused_mb_conv(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                          const BlockConfig& config) {
  ConvNormActivation fused = {.out_channels = b.channels(x) * config.stage.expansion,
                              .kernel = config.stage.kernel,
                              .stride = config.stride,
                              .norm = {.eps = config.norm.eps},
                              .activation = ir::Silu{}};
  if (config.stage.expansion == 1) {
    fused.out_channels = config.stage.channels;
    fused.norm = config.norm;
    return conv_norm_activation(b, path + ".block.0", x, fused);
  }
  x = conv_norm_activation(b, path + ".block.0", x, fused);
  return conv_norm_activation(b, path + ".block.1", x,
                              {.out_channels = config.stage.channels, .norm = config.norm});
}

ir::ValueId block(ModuleBuilder& b, const std::string& path, ir::ValueId input, const Stage& stage,
                  std::int64_t stride, double norm_eps) {
  const bool residual = stride == 1 && b.channels(input) == stage.channels;
  const BlockConfig config = {stage, stride, {.eps = norm_eps, .ends_residual_branch = residual}};
  const ir::ValueId x = stage.block == kMbConv ? mb_conv(b, path, input, config)
                                               : fused_mb_conv(b, path, input, config);
  return residual ? b.add(path + ".add", x, input) : x;
}

struct Network {
  std::vector<Stage> stages;
  std::int64_t stem_channels;
  std::int64_t head_channels;
  double norm_eps;
};

ir::ValueId build_network(ModuleBuilder& b, ir::ValueId x, const Network& network) {
  const NormConfig norm = {.eps = network.norm_eps};
  x = conv_norm_activation(b, "features.0", x,
                           {.out_channels = network.stem_channels,
                            .kernel = 3,
                            .stride = 2,
                            .norm = norm,
                            .activation = ir::Silu{}});
  int index = 1;
  for (const Stage& stage : network.stages) {
    const std::string path = "features." + std::to_string(index++) + ".";
    for (std::int64_t i = 0; i < stage.repeats; ++i) {
      x = block(b, path + std::to_string(i), x, stage, i == 0 ? stage.stride : 1, network.norm_eps);
    }
  }
  x = conv_norm_activation(
      b, "features." + std::to_string(index), x,
      {.out_channels = network.head_channels, .norm = norm, .activation = ir::Silu{}});
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("classifier.1", x, kImageNetClasses);
}

std::int64_t scaled(std::int64_t channels, double factor) {
  return make_divisible(static_cast<double>(channels) * factor, 8);
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const EfficientNetConfig& config) {
  std::vector<Stage> stages(kB0.begin(), kB0.end());
  for (Stage& stage : stages) {
    stage.channels = scaled(stage.channels, config.width);
    stage.repeats =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(stage.repeats) * config.depth));
  }
  const std::int64_t head_channels = 4 * stages.back().channels;
  return build_network(b, x,
                       {.stages = std::move(stages),
                        .stem_channels = scaled(kB0StemChannels, config.width),
                        .head_channels = head_channels,
                        .norm_eps = config.norm_eps});
}

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const EfficientNetV2Config& config) {
  const std::span<const Stage> stages = stages_of(config.size);
  return build_network(b, x,
                       {.stages = {stages.begin(), stages.end()},
                        .stem_channels = stages.front().channels,
                        .head_channels = 1280,
                        .norm_eps = 1e-3});
}

}  // namespace quantc::frontend
