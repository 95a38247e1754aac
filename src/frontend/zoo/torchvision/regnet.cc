// RegNetX and, with squeeze-and-excitation, RegNetY (Radosavovic et al. 2020).
#include <algorithm>
#include <cmath>

#include "frontend/zoo/torchvision/conv_norm_activation.h"
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/squeeze_excitation.h"

namespace quantc::frontend {
namespace {

constexpr std::int64_t kStemChannels = 32;

// A quarter of the block's input, half to even.
std::int64_t squeeze_channels(std::int64_t input_channels) {
  return std::lrint(static_cast<double>(input_channels) / 4);
}

ir::ValueId bottleneck(ModuleBuilder& b, const std::string& path, ir::ValueId input,
                       std::int64_t channels, std::int64_t stride, const RegNetConfig& config) {
  const std::int64_t group_width = std::min(config.group_width, channels);
  ir::ValueId x = conv_norm_activation(b, path + ".a", input,
                                       {.out_channels = channels, .activation = ir::Relu{}});
  x = conv_norm_activation(b, path + ".b", x,
                           {.out_channels = channels,
                            .kernel = 3,
                            .stride = stride,
                            .groups = channels / group_width,
                            .activation = ir::Relu{}});
  if (config.squeeze_excitation) {
    x = squeeze_excitation(
        b, path + ".se", x,
        {.squeeze_channels = squeeze_channels(b.channels(input)), .activation = ir::Relu{}});
  }
  return conv_norm_activation(b, path + ".c", x,
                              {.out_channels = channels, .norm = {.ends_residual_branch = true}});
}

ir::ValueId block(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t channels,
                  std::int64_t stride, const RegNetConfig& config) {
  ir::ValueId identity = x;
  if (stride != 1 || b.channels(x) != channels) {
    identity =
        conv_norm_activation(b, path + ".proj", x, {.out_channels = channels, .stride = stride});
  }
  const ir::ValueId branch = bottleneck(b, path + ".f", x, channels, stride, config);
  return b.relu(path + ".activation", b.add(path + ".add", identity, branch));
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const RegNetConfig& config) {
  x = conv_norm_activation(
      b, "stem", x,
      {.out_channels = kStemChannels, .kernel = 3, .stride = 2, .activation = ir::Relu{}});
  for (std::size_t stage = 0; stage < config.blocks.size(); ++stage) {
    const std::string name = "block" + std::to_string(stage + 1);
    const std::string prefix = "trunk_output." + name + "." + name + "-";
    for (std::int64_t i = 0; i < config.blocks[stage]; ++i) {
      x = block(b, prefix + std::to_string(i), x, config.channels[stage], i == 0 ? 2 : 1, config);
    }
  }
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("fc", x, kImageNetClasses);
}

}  // namespace quantc::frontend
