// The zoo: one row per network.
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
    std::variant<ResNetConfig, VggConfig, SqueezeNetConfig, AlexNetConfig, MobileNetV2Config>;

/// A network as TorchVision publishes it, with its default weights' figures and preprocessing.
struct ModelInfo {
  std::string_view name;
  std::string_view weights_file;
  std::int64_t parameters;
  double gmac;
  double top1;  ///< Percent on ImageNet-1k, published.
  std::int64_t resize;
  std::int64_t crop;
  image::Filter filter;
  std::int64_t min_size;
  FamilyConfig config;

  image::Preprocessing preprocessing() const;
};

std::span<const ModelInfo> all_models();

/// InputError with the closest names if there is no such network.
const ModelInfo& find_model(std::string_view name);

/// The float graph with these weights.
ir::Graph build_model(const ModelInfo& model, WeightSource& weights);

/// As above with a checkpoint's weights, strictly bound.
ir::Graph load_model(const ModelInfo& model, const StateDict& state_dict);

/// Keys and shapes of the network's parameters.
std::vector<ExpectedTensor> expected_tensors(const ModelInfo& model);

}  // namespace quantc::frontend
