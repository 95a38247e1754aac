// ResNet (He et al. 2015), ResNeXt (Xie et al. 2016), Wide ResNet (Zagoruyko, Komodakis 2016); the
// stride of a bottleneck stands on its 3x3 convolution.
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

class ResNet {
 public:
  ResNet(ModuleBuilder& builder, const ResNetConfig& config) : b_(builder), config_(config) {}

  ir::ValueId build(ir::ValueId x) {
    x = b_.conv("conv1", x,
                {.out_channels = 64, .kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3},
                 .bias = false});
    x = b_.relu("relu", b_.batch_norm("bn1", x));
    x = b_.max_pool("maxpool", x, {.kernel = 3, .stride = 2, .padding = 1});
    for (std::int64_t stage = 0; stage < 4; ++stage) {
      const std::int64_t planes = std::int64_t{64} << stage;
      for (std::int64_t i = 0; i < config_.blocks[stage]; ++i) {
        const std::string path =
            "layer" + std::to_string(stage + 1) + "." + std::to_string(i) + ".";
        x = block(path, x, planes, stage > 0 && i == 0 ? 2 : 1);
      }
    }
    x = b_.flatten("flatten", b_.adaptive_avg_pool("avgpool", x, 1));
    return b_.linear("fc", x, kImageNetClasses);
  }

 private:
  ir::ValueId conv_bn(const std::string& path, int number, ir::ValueId x, ConvConfig config) {
    config.bias = false;
    const std::string suffix = std::to_string(number);
    return b_.batch_norm(path + "bn" + suffix, b_.conv(path + "conv" + suffix, x, config));
  }

  ir::ValueId conv3x3(const std::string& path, int number, ir::ValueId x, std::int64_t channels,
                      std::int64_t stride, std::int64_t groups) {
    return conv_bn(path, number, x,
                   {.out_channels = channels, .kernel = {3, 3}, .stride = {stride, stride},
                    .padding = {1, 1}, .groups = groups});
  }

  ir::ValueId block(const std::string& path, ir::ValueId x, std::int64_t planes,
                    std::int64_t stride) {
    const std::int64_t out = config_.bottleneck ? planes * 4 : planes;
    const ir::ValueId branch = config_.bottleneck ? bottleneck_branch(path, x, planes, stride)
                                                  : basic_branch(path, x, planes, stride);
    ir::ValueId identity = x;
    if (stride != 1 || b_.channels(x) != out) {
      identity = b_.conv(path + "downsample.0", x,
                         {.out_channels = out, .stride = {stride, stride}, .bias = false});
      identity = b_.batch_norm(path + "downsample.1", identity);
    }
    return b_.relu(path + "relu", b_.add(path + "add", branch, identity));
  }

  ir::ValueId basic_branch(const std::string& path, ir::ValueId x, std::int64_t planes,
                           std::int64_t stride) {
    x = b_.relu(path + "relu1", conv3x3(path, 1, x, planes, stride, 1));
    return conv3x3(path, 2, x, planes, 1, 1);
  }

  ir::ValueId bottleneck_branch(const std::string& path, ir::ValueId x, std::int64_t planes,
                                std::int64_t stride) {
    const std::int64_t width = planes * config_.width_per_group / 64 * config_.groups;
    x = b_.relu(path + "relu1", conv_bn(path, 1, x, {.out_channels = width}));
    x = b_.relu(path + "relu2", conv3x3(path, 2, x, width, stride, config_.groups));
    return conv_bn(path, 3, x, {.out_channels = planes * 4});
  }

  ModuleBuilder& b_;
  const ResNetConfig& config_;
};

}  // namespace

ir::ValueId build_resnet(ModuleBuilder& b, ir::ValueId x, const ResNetConfig& config) {
  return ResNet(b, config).build(x);
}

}  // namespace quantc::frontend
