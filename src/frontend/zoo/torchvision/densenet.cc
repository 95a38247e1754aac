// DenseNet-BC (Huang et al. 2016): every layer reads all earlier ones of its block.
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

constexpr std::int64_t kBottleneck = 4;  // Channels of a 1x1 convolution, in growth rates.

ir::ValueId concat_all(ModuleBuilder& b, const std::string& path,
                       const std::vector<ir::ValueId>& features) {
  return features.size() == 1 ? features[0] : b.concat(path, features);
}

ir::ValueId norm_relu(ModuleBuilder& b, const std::string& path, const std::string& suffix,
                      ir::ValueId x) {
  return b.relu(path + "relu" + suffix, b.batch_norm(path + "norm" + suffix, x));
}

ir::ValueId dense_layer(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                        std::int64_t growth_rate) {
  x = norm_relu(b, path, "1", x);
  x = b.conv(path + "conv1", x, {.out_channels = kBottleneck * growth_rate, .bias = false});
  x = norm_relu(b, path, "2", x);
  return b.conv(path + "conv2", x,
                {.out_channels = growth_rate, .kernel = {3, 3}, .padding = {1, 1}, .bias = false});
}

ir::ValueId dense_block(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                        std::int64_t layers, std::int64_t growth_rate) {
  std::vector<ir::ValueId> features = {x};
  for (std::int64_t i = 1; i <= layers; ++i) {
    const std::string layer = path + ".denselayer" + std::to_string(i) + ".";
    x = concat_all(b, layer + "cat", features);
    features.push_back(dense_layer(b, layer, x, growth_rate));
  }
  return concat_all(b, path + ".cat", features);
}

ir::ValueId transition(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  x = norm_relu(b, path, "", x);
  x = b.conv(path + "conv", x, {.out_channels = b.channels(x) / 2, .bias = false});
  return b.apply(path + "pool", ir::AvgPool2d{.kernel = {2, 2}, .stride = {2, 2}}, {x});
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const DenseNetConfig& config) {
  x = b.conv("features.conv0", x,
             {.out_channels = config.stem_channels,
              .kernel = {7, 7},
              .stride = {2, 2},
              .padding = {3, 3},
              .bias = false});
  x = norm_relu(b, "features.", "0", x);
  x = b.max_pool("features.pool0", x, {.kernel = 3, .stride = 2, .padding = 1});
  for (std::size_t i = 0; i < config.layers_per_block.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (i > 0) x = transition(b, "features.transition" + std::to_string(i) + ".", x);
    x = dense_block(b, "features.denseblock" + number, x, config.layers_per_block[i],
                    config.growth_rate);
  }
  x = norm_relu(b, "features.", "5", x);
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("classifier", x, kImageNetClasses);
}

}  // namespace quantc::frontend
