// ConvNeXt (Liu et al. 2022).
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/transformer_layers.h"

namespace quantc::frontend {
namespace {

constexpr double kNormEps = 1e-6;

// Normalizes the channels of each pixel of x [N,C,H,W].
ir::ValueId pixel_norm(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  x = channels_last(b, path + ".channels_last", x);
  x = b.layer_norm(path, x, kNormEps);
  return channels_first(b, path + ".channels_first", x);
}

ir::ValueId block(ModuleBuilder& b, const std::string& path, ir::ValueId input) {
  const std::int64_t channels = b.channels(input);
  const ir::ValueId scale =
      b.parameter(path + ".layer_scale", {channels, 1, 1}, ParameterRole::kResidualScale);
  ir::ValueId x =
      b.conv(path + ".block.0", input,
             {.out_channels = channels, .kernel = {7, 7}, .padding = {3, 3}, .groups = channels});
  x = channels_last(b, path + ".block.1", x);
  x = b.layer_norm(path + ".block.2", x, kNormEps);
  x = mlp(b, path + ".block", {3, 4, 5}, x);
  x = channels_first(b, path + ".block.6", x);
  x = b.apply(path + ".mul", ir::Mul{}, {scale, x});
  return b.add(path + ".add", x, input);
}

ir::ValueId downsample(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                       std::int64_t channels) {
  x = pixel_norm(b, path + ".0", x);
  return b.conv(path + ".1", x, {.out_channels = channels, .kernel = {2, 2}, .stride = {2, 2}});
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ConvNextConfig& config) {
  std::int64_t channels = config.stem_channels;
  x = b.conv("features.0.0", x, {.out_channels = channels, .kernel = {4, 4}, .stride = {4, 4}});
  x = pixel_norm(b, "features.0.1", x);
  int index = 1;
  for (const std::int64_t blocks : config.blocks) {
    if (index > 1) {
      channels *= 2;
      x = downsample(b, "features." + std::to_string(index++), x, channels);
    }
    const std::string stage = "features." + std::to_string(index++) + ".";
    for (std::int64_t i = 0; i < blocks; ++i) x = block(b, stage + std::to_string(i), x);
  }
  x = pixel_norm(b, "classifier.0", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("classifier.2", b.flatten("classifier.1", x), kImageNetClasses);
}

}  // namespace quantc::frontend
