// The zoo: one row per network, and how its graph comes about.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/weight_source.h"
#include "image/preprocess.h"
#include "ir/graph.h"

namespace quantc::frontend {

using FamilyConfig =
    std::variant<AlexNetConfig, ConvNextConfig, DenseNetConfig, EfficientNetConfig,
                 EfficientNetV2Config, GoogLeNetConfig, InceptionV3Config, MaxVitConfig,
                 MnasNetConfig, MobileNetV2Config, MobileNetV3Config, RegNetConfig, ResNetConfig,
                 ShuffleNetV2Config, SqueezeNetConfig, SwinConfig, VggConfig, VitConfig>;

/// A network as TorchVision publishes it, with its default weights' file, figures and
/// preprocessing.
struct ModelInfo {
  std::string_view name;
  std::string_view weights_file;
  std::int64_t parameters;
  double gmac;
  double top1;  ///< Percent on ImageNet-1k.
  image::Preprocessing preprocessing;
  std::int64_t min_size;  ///< Smallest height and width of the image.
  FamilyConfig config;
  bool fixed_size = false;  ///< Takes images of no other size than min_size.
};

std::span<const ModelInfo> all_models();

/// InputError with the closest names if there is no such network.
const ModelInfo& find_model(std::string_view name);

/// The float graph with these weights for images of input_size x input_size, by default the size
/// that the published weights expect. InputError if the size is out of range.
ir::Graph build_model(const ModelInfo& model, WeightSource& weights,
                      std::optional<std::int64_t> input_size = {});

/// As above with a checkpoint's weights, strictly bound after the rules of checkpoint_rules.h:
/// InputError with all keys that do not fit.
ir::Graph load_model(const ModelInfo& model, const StateDict& state_dict,
                     std::optional<std::int64_t> input_size = {});

/// Keys and shapes of the network's parameters, in the order of its state_dict.
std::vector<ExpectedTensor> expected_tensors(const ModelInfo& model);

/// The same of what else the state_dict holds: tables that the network computes by itself.
std::vector<ExpectedTensor> computed_tensors(const ModelInfo& model);

}  // namespace quantc::frontend
