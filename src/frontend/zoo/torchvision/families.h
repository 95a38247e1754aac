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

// From the image x to the logits f32[1,1000].
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ResNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const VggConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const SqueezeNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const AlexNetConfig& config);
ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MobileNetV2Config& config);

constexpr std::int64_t kImageNetClasses = 1000;

}  // namespace quantc::frontend
