// MobileNetV3 (Howard et al. 2019).
#include <span>

#include "frontend/zoo/torchvision/conv_norm_activation.h"
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/squeeze_excitation.h"

namespace quantc::frontend {
namespace {

enum class Activation : std::uint8_t { kRelu, kHardSwish };
using enum Activation;

// A row of the paper's tables 1 and 2: a bottleneck.
struct Bottleneck {
  std::int64_t kernel, expanded, channels;
  bool squeeze_excitation;
  Activation activation;
  std::int64_t stride;
};

constexpr std::array<Bottleneck, 15> kLarge = {{{3, 16, 16, false, kRelu, 1},
                                                {3, 64, 24, false, kRelu, 2},
                                                {3, 72, 24, false, kRelu, 1},
                                                {5, 72, 40, true, kRelu, 2},
                                                {5, 120, 40, true, kRelu, 1},
                                                {5, 120, 40, true, kRelu, 1},
                                                {3, 240, 80, false, kHardSwish, 2},
                                                {3, 200, 80, false, kHardSwish, 1},
                                                {3, 184, 80, false, kHardSwish, 1},
                                                {3, 184, 80, false, kHardSwish, 1},
                                                {3, 480, 112, true, kHardSwish, 1},
                                                {3, 672, 112, true, kHardSwish, 1},
                                                {5, 672, 160, true, kHardSwish, 2},
                                                {5, 960, 160, true, kHardSwish, 1},
                                                {5, 960, 160, true, kHardSwish, 1}}};

constexpr std::array<Bottleneck, 11> kSmall = {{{3, 16, 16, true, kRelu, 2},
                                                {3, 72, 24, false, kRelu, 2},
                                                {3, 88, 24, false, kRelu, 1},
                                                {5, 96, 40, true, kHardSwish, 2},
                                                {5, 240, 40, true, kHardSwish, 1},
                                                {5, 240, 40, true, kHardSwish, 1},
                                                {5, 120, 48, true, kHardSwish, 1},
                                                {5, 144, 48, true, kHardSwish, 1},
                                                {5, 288, 96, true, kHardSwish, 2},
                                                {5, 576, 96, true, kHardSwish, 1},
                                                {5, 576, 96, true, kHardSwish, 1}}};

constexpr double kEps = 1e-3;
constexpr std::int64_t kStemChannels = 16;

ir::ValueId bottleneck(ModuleBuilder& b, const std::string& path, ir::ValueId input,
                       const Bottleneck& config) {
  const bool residual = config.stride == 1 && b.channels(input) == config.channels;
  const ir::Op activation =
      config.activation == kRelu ? ir::Op{ir::Relu{}} : ir::Op{ir::HardSwish{}};
  int index = 0;
  const auto next = [&] { return path + ".block." + std::to_string(index++); };
  ir::ValueId x = input;
  if (config.expanded != b.channels(input)) {
    x = conv_norm_activation(
        b, next(), x,
        {.out_channels = config.expanded, .norm = {.eps = kEps}, .activation = activation});
  }
  x = conv_norm_activation(b, next(), x,
                           {.out_channels = config.expanded,
                            .kernel = config.kernel,
                            .stride = config.stride,
                            .groups = config.expanded,
                            .norm = {.eps = kEps},
                            .activation = activation});
  if (config.squeeze_excitation) {
    const std::int64_t quarter = config.expanded / 4;
    x = squeeze_excitation(b, next(), x,
                           {.squeeze_channels = make_divisible(static_cast<double>(quarter), 8),
                            .activation = ir::Relu{},
                            .gate = ir::HardSigmoid{}});
  }
  x = conv_norm_activation(
      b, next(), x,
      {.out_channels = config.channels, .norm = {.eps = kEps, .ends_residual_branch = residual}});
  return residual ? b.add(path + ".add", x, input) : x;
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MobileNetV3Config& config) {
  const bool is_large = config.size == MobileNetV3Config::kLarge;
  const std::span<const Bottleneck> bottlenecks =
      is_large ? std::span<const Bottleneck>(kLarge) : std::span<const Bottleneck>(kSmall);
  x = conv_norm_activation(b, "features.0", x,
                           {.out_channels = kStemChannels,
                            .kernel = 3,
                            .stride = 2,
                            .norm = {.eps = kEps},
                            .activation = ir::HardSwish{}});
  int index = 1;
  for (const Bottleneck& row : bottlenecks) {
    x = bottleneck(b, "features." + std::to_string(index++), x, row);
  }
  x = conv_norm_activation(
      b, "features." + std::to_string(index), x,
      {.out_channels = 6 * b.channels(x), .norm = {.eps = kEps}, .activation = ir::HardSwish{}});
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  x = b.linear("classifier.0", x, is_large ? 1280 : 1024);
  x = b.apply("classifier.1", ir::HardSwish{}, {x});
  return b.linear("classifier.3", x, kImageNetClasses);
}

}  // namespace quantc::frontend
