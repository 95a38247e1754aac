// Builders of TorchVision's classifiers, one file per family. Layer names are state_dict keys.
#pragma once

#include <cstdint>
#include <span>

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

struct ResNetConfig {
  bool bottleneck;
  std::int64_t blocks[4];
  std::int64_t groups = 1;
  std::int64_t width_per_group = 64;
};

struct VggConfig {
  std::int64_t convs_per_stage[5];
  bool batch_norm;
};

struct SqueezeNetConfig {
  bool version_1_1;
};

struct AlexNetConfig {};

struct MobileNetV2Config {};

// Each takes the builder and the input image and returns the logits [1, 1000].
ir::ValueId build_resnet(ModuleBuilder& b, ir::ValueId x, const ResNetConfig& config);
ir::ValueId build_vgg(ModuleBuilder& b, ir::ValueId x, const VggConfig& config);
ir::ValueId build_squeezenet(ModuleBuilder& b, ir::ValueId x, const SqueezeNetConfig& config);
ir::ValueId build_alexnet(ModuleBuilder& b, ir::ValueId x);
ir::ValueId build_mobilenet_v2(ModuleBuilder& b, ir::ValueId x);

constexpr std::int64_t kImageNetClasses = 1000;

}  // namespace quantc::frontend
