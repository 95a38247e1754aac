// Builders of TorchVision's classifiers, one file per family. A layer is named as its module; a
// function without a module gets the name of what it does. Dropout does nothing at inference and is
// left out.
#pragma once

#include <array>
#include <cstdint>

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

struct ResNetConfig {
  bool bottleneck;
  std::array<std::int64_t, 4> blocks;
  std::int64_t groups = 1;
  std::int64_t width_per_group = 64;
};

struct VggConfig {
  std::array<std::int64_t, 5> convs_per_stage;
  bool batch_norm;
};

struct SqueezeNetConfig {
  bool version_1_1;
};

struct AlexNetConfig {};

struct MobileNetV2Config {};

struct DenseNetConfig {
  std::int64_t growth_rate;
  std::array<std::int64_t, 4> layers_per_block;
  std::int64_t stem_channels;
};

struct EfficientNetConfig {
  double width, depth;  ///< Factors on B0's channels and repeats.
  double norm_eps = 1e-5;
};

struct EfficientNetV2Config {
  enum Size : std::uint8_t { kSmall, kMedium, kLarge } size;
};

struct GoogLeNetConfig {};

struct InceptionV3Config {};

struct MnasNetConfig {
  double width;             ///< Factor on the channels.
  bool fixed_stem = false;  ///< A stem of 32 and 16 channels whatever the width.
};

struct MobileNetV3Config {
  enum Size : std::uint8_t { kLarge, kSmall } size;
};

struct RegNetConfig {
  std::array<std::int64_t, 4> blocks, channels;
  std::int64_t group_width;
  bool squeeze_excitation = false;
};

struct ConvNextConfig {
  std::array<std::int64_t, 4> blocks;
  std::int64_t stem_channels;
};

struct MaxVitConfig {};

struct SwinConfig {
  std::array<std::int64_t, 4> blocks;
  std::int64_t stem_channels;
  bool version_2 = false;
};

struct VitConfig {
  std::int64_t patch, layers, heads, features;
};

struct ShuffleNetV2Config {
  std::array<std::int64_t, 3> channels;
  std::int64_t last_channels;
};

// From the image x to the logits f32[1,1000].
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ResNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const VggConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const SqueezeNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const AlexNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MobileNetV2Config& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const DenseNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const EfficientNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const EfficientNetV2Config& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const GoogLeNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const InceptionV3Config& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MnasNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MobileNetV3Config& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const RegNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ShuffleNetV2Config& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ConvNextConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MaxVitConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const SwinConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const VitConfig& config);

constexpr std::int64_t kImageNetClasses = 1000;

}  // namespace quantc::frontend
