// GoogLeNet (Szegedy et al. 2014), with BatchNorm and without auxiliary classifiers. The branch
// that the paper gives 5x5 convolutions has 3x3 ones, as the published weights do.
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/inception_blocks.h"

namespace quantc::frontend {
namespace {

// Output channels of the convolutions of a module's four branches.
struct Inception {
  const char* name;
  std::int64_t conv1x1, reduce3x3, conv3x3, reduce5x5, conv5x5, pool_projection;
};

constexpr std::array<Inception, 2> kStage3 = {
    {{"inception3a", 64, 96, 128, 16, 32, 32}, {"inception3b", 128, 128, 192, 32, 96, 64}}};
constexpr std::array<Inception, 5> kStage4 = {{{"inception4a", 192, 96, 208, 16, 48, 64},
                                               {"inception4b", 160, 112, 224, 24, 64, 64},
                                               {"inception4c", 128, 128, 256, 24, 64, 64},
                                               {"inception4d", 112, 144, 288, 32, 64, 64},
                                               {"inception4e", 256, 160, 320, 32, 128, 128}}};
constexpr std::array<Inception, 2> kStage5 = {
    {{"inception5a", 256, 160, 320, 32, 128, 128}, {"inception5b", 384, 192, 384, 48, 128, 128}}};

ConvConfig conv3x3(std::int64_t channels) {
  return {.out_channels = channels, .kernel = {3, 3}, .padding = {1, 1}};
}

ir::ValueId inception(ModuleBuilder& b, ir::ValueId x, const Inception& config) {
  const std::string path = config.name;
  const ir::ValueId branch1 = basic_conv(b, path + ".branch1", x, {.out_channels = config.conv1x1});
  ir::ValueId branch2 = basic_conv(b, path + ".branch2.0", x, {.out_channels = config.reduce3x3});
  branch2 = basic_conv(b, path + ".branch2.1", branch2, conv3x3(config.conv3x3));
  ir::ValueId branch3 = basic_conv(b, path + ".branch3.0", x, {.out_channels = config.reduce5x5});
  branch3 = basic_conv(b, path + ".branch3.1", branch3, conv3x3(config.conv5x5));
  ir::ValueId branch4 = b.max_pool(path + ".branch4.0", x,
                                   {.kernel = 3, .stride = 1, .padding = 1, .ceil_mode = true});
  branch4 = basic_conv(b, path + ".branch4.1", branch4, {.out_channels = config.pool_projection});
  return b.concat(path + ".cat", {branch1, branch2, branch3, branch4});
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const GoogLeNetConfig& /*config*/) {
  const PoolConfig pool = {.kernel = 3, .stride = 2, .ceil_mode = true};
  x = transform_input(b, x);
  x = basic_conv(b, "conv1", x,
                 {.out_channels = 64, .kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}});
  x = b.max_pool("maxpool1", x, pool);
  x = basic_conv(b, "conv2", x, {.out_channels = 64});
  x = basic_conv(b, "conv3", x, conv3x3(192));
  x = b.max_pool("maxpool2", x, pool);
  for (const Inception& config : kStage3) x = inception(b, x, config);
  x = b.max_pool("maxpool3", x, pool);
  for (const Inception& config : kStage4) x = inception(b, x, config);
  x = b.max_pool("maxpool4", x, {.kernel = 2, .stride = 2, .ceil_mode = true});
  for (const Inception& config : kStage5) x = inception(b, x, config);
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("fc", x, kImageNetClasses);
}

}  // namespace quantc::frontend
