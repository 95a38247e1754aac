#include "frontend/zoo/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"

namespace quantc::frontend {
namespace {

constexpr std::int64_t kMaxInputSize = 8192;

constexpr image::Preprocessing imagenet(std::int64_t resize, std::int64_t crop) {
  return {.resize = resize,
          .crop = crop,
          .filter = image::Filter::kBilinear,
          .mean = {0.485F, 0.456F, 0.406F},
          .std = {0.229F, 0.224F, 0.225F}};
}

// name, weights file, parameters, GMAC, top-1, preprocessing, smallest input, architecture.
// Figures: metadata of TorchVision's default weights.
// clang-format off
constexpr std::array<ModelInfo, 22> kModels = {{
    {"resnet18", "resnet18-f37072fd.pth", 11689512, 1.814, 69.758, imagenet(256, 224), 1, ResNetConfig{false, {2, 2, 2, 2}}},
    {"resnet34", "resnet34-b627a593.pth", 21797672, 3.664, 73.314, imagenet(256, 224), 1, ResNetConfig{false, {3, 4, 6, 3}}},
    {"resnet50", "resnet50-11ad3fa6.pth", 25557032, 4.089, 80.858, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 6, 3}}},
    {"resnet101", "resnet101-cd907fc2.pth", 44549160, 7.801, 81.886, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}}},
    {"resnet152", "resnet152-f82ba261.pth", 60192808, 11.514, 82.284, imagenet(232, 224), 1, ResNetConfig{true, {3, 8, 36, 3}}},
    {"resnext50_32x4d", "resnext50_32x4d-1a0047aa.pth", 25028904, 4.23, 81.198, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 6, 3}, 32, 4}},
    {"resnext101_32x8d", "resnext101_32x8d-110c445d.pth", 88791336, 16.414, 82.834, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}, 32, 8}},
    {"resnext101_64x4d", "resnext101_64x4d-173b62eb.pth", 83455272, 15.46, 83.246, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}, 64, 4}},
    {"wide_resnet50_2", "wide_resnet50_2-9ba9bcbe.pth", 68883240, 11.398, 81.602, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 6, 3}, 1, 128}},
    {"wide_resnet101_2", "wide_resnet101_2-d733dc28.pth", 126886696, 22.753, 82.51, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}, 1, 128}},
    {"squeezenet1_0", "squeezenet1_0-b66bff10.pth", 1248424, 0.819, 58.092, imagenet(256, 224), 21, SqueezeNetConfig{false}},
    {"squeezenet1_1", "squeezenet1_1-b8a52dc0.pth", 1235496, 0.349, 58.178, imagenet(256, 224), 17, SqueezeNetConfig{true}},
    {"mobilenet_v2", "mobilenet_v2-7ebf99e0.pth", 3504872, 0.301, 72.154, imagenet(232, 224), 1, MobileNetV2Config{}},
    {"vgg11", "vgg11-8a719046.pth", 132863336, 7.609, 69.02, imagenet(256, 224), 32, VggConfig{{1, 1, 2, 2, 2}, false}},
    {"vgg11_bn", "vgg11_bn-6002323d.pth", 132868840, 7.609, 70.37, imagenet(256, 224), 32, VggConfig{{1, 1, 2, 2, 2}, true}},
    {"vgg13", "vgg13-19584684.pth", 133047848, 11.308, 69.928, imagenet(256, 224), 32, VggConfig{{2, 2, 2, 2, 2}, false}},
    {"vgg13_bn", "vgg13_bn-abd245e5.pth", 133053736, 11.308, 71.586, imagenet(256, 224), 32, VggConfig{{2, 2, 2, 2, 2}, true}},
    {"vgg16", "vgg16-397923af.pth", 138357544, 15.47, 71.592, imagenet(256, 224), 32, VggConfig{{2, 2, 3, 3, 3}, false}},
    {"vgg16_bn", "vgg16_bn-6c64b313.pth", 138365992, 15.47, 73.36, imagenet(256, 224), 32, VggConfig{{2, 2, 3, 3, 3}, true}},
    {"vgg19", "vgg19-dcbb9e9d.pth", 143667240, 19.632, 72.376, imagenet(256, 224), 32, VggConfig{{2, 2, 4, 4, 4}, false}},
    {"vgg19_bn", "vgg19_bn-c79401a0.pth", 143678248, 19.632, 74.218, imagenet(256, 224), 32, VggConfig{{2, 2, 4, 4, 4}, true}},
    {"alexnet", "alexnet-owt-7be5be79.pth", 61100840, 0.714, 56.522, imagenet(256, 224), 63, AlexNetConfig{}},
}};
// clang-format on

// Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (letter == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// A name that was typed only in part is the closest.
std::size_t distance(std::string_view typed, std::string_view name) {
  return name.starts_with(typed) ? 0 : edit_distance(typed, name);
}

std::vector<std::string_view> closest_names(std::string_view typed) {
  std::vector<std::string_view> names(kModels.size());
  std::ranges::transform(kModels, names.begin(), &ModelInfo::name);
  std::ranges::stable_sort(names, {}, [&](std::string_view name) { return distance(typed, name); });
  names.resize(3);
  return names;
}

}  // namespace

std::span<const ModelInfo> all_models() { return kModels; }

const ModelInfo& find_model(std::string_view name) {
  for (const ModelInfo& model : kModels) {
    if (model.name == name) return model;
  }
  throw InputError(fmt::format(
      "model: expected a network's name, found '{}'; closest: {}; `quantc models` lists all", name,
      fmt::join(closest_names(name), ", ")));
}

ir::Graph build_model(const ModelInfo& model, WeightSource& weights,
                      std::optional<std::int64_t> input_size) {
  const std::int64_t size = input_size.value_or(model.preprocessing.crop);
  if (size < model.min_size || size > kMaxInputSize) {
    throw InputError(
        fmt::format("{}: input size: expected {} to {}, found {}; its weights expect {}",
                    model.name, model.min_size, kMaxInputSize, size, model.preprocessing.crop));
  }
  ModuleBuilder builder(std::string(model.name), weights);
  const ir::ValueId image = builder.input(size);
  return builder.take(
      std::visit([&](const auto& config) { return build(builder, image, config); }, model.config));
}

ir::Graph load_model(const ModelInfo& model, const StateDict& state_dict,
                     std::optional<std::int64_t> input_size) {
  CheckpointWeights weights(bind_tensors(state_dict, expected_tensors(model)));
  return build_model(model, weights, input_size);
}

std::vector<ExpectedTensor> expected_tensors(const ModelInfo& model) {
  WeightRecorder recorder;
  build_model(model, recorder);
  return recorder.expected();
}

}  // namespace quantc::frontend
