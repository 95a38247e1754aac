// ResNet (He et al. 2015), ResNeXt (Xie et al. 2016), Wide ResNet (Zagoruyko, Komodakis 2016); the
// stride of a bottleneck stands on its 3x3 convolution.
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

// The convolution and norm called convN and bnN.
ir::ValueId conv_bn(ModuleBuilder& b, const std::string& path, int number, ir::ValueId x,
                    ConvConfig conv, const NormConfig& norm = {}) {
  conv.bias = false;
  const std::string suffix = std::to_string(number);
  return b.batch_norm(path + "bn" + suffix, b.conv(path + "conv" + suffix, x, conv), norm);
}

ConvConfig conv3x3(std::int64_t channels, std::int64_t stride, std::int64_t groups = 1) {
  return {.out_channels = channels,
          .kernel = {3, 3},
          .stride = {stride, stride},
          .padding = {1, 1},
          .groups = groups};
}

ir::ValueId basic_branch(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                         std::int64_t planes, std::int64_t stride) {
  x = b.relu(path + "relu1", conv_bn(b, path, 1, x, conv3x3(planes, stride)));
  return conv_bn(b, path, 2, x, conv3x3(planes, 1), {.ends_residual_branch = true});
}

ir::ValueId bottleneck_branch(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                              std::int64_t planes, std::int64_t stride,
                              const ResNetConfig& config) {
  const std::int64_t width = planes * config.width_per_group / 64 * config.groups;
  x = b.relu(path + "relu1", conv_bn(b, path, 1, x, {.out_channels = width}));
  x = b.relu(path + "relu2", conv_bn(b, path, 2, x, conv3x3(width, stride, config.groups)));
  return conv_bn(b, path, 3, x, {.out_channels = planes * 4}, {.ends_residual_branch = true});
}

ir::ValueId block(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t planes,
                  std::int64_t stride, const ResNetConfig& config) {
  const ir::ValueId branch = config.bottleneck
                                 ? bottleneck_branch(b, path, x, planes, stride, config)
                                 : basic_branch(b, path, x, planes, stride);
  ir::ValueId identity = x;
  if (stride != 1 || b.channels(x) != b.channels(branch)) {
    identity =
        b.conv(path + "downsample.0", x,
               {.out_channels = b.channels(branch), .stride = {stride, stride}, .bias = false});
    identity = b.batch_norm(path + "downsample.1", identity);
  }
  return b.relu(path + "relu", b.add(path + "add", branch, identity));
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ResNetConfig& config) {
  x = conv_bn(b, "", 1, x,
              {.out_channels = 64, .kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}});
  x = b.max_pool("maxpool", b.relu("relu", x), {.kernel = 3, .stride = 2, .padding = 1});
  std::int64_t planes = 64;
  int layer = 1;
  for (const std::int64_t blocks : config.blocks) {
    for (std::int64_t i = 0; i < blocks; ++i) {
      const std::string path = "layer" + std::to_string(layer) + "." + std::to_string(i) + ".";
      x = block(b, path, x, planes, layer > 1 && i == 0 ? 2 : 1, config);
    }
    planes *= 2;
    ++layer;
  }
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("fc", x, kImageNetClasses);
}

}  // namespace quantc::frontend
