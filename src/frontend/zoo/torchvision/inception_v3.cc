// Inception v3 (Szegedy et al. 2015) without its auxiliary classifier.
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/inception_blocks.h"

namespace quantc::frontend {
namespace {

// One convolution of a branch; unless it has a stride, it keeps the size.
struct Conv {
  const char* name;
  std::int64_t channels;
  ir::Size2d kernel{1, 1};
  std::int64_t stride = 1;
};

ir::ValueId conv(ModuleBuilder& b, const std::string& path, ir::ValueId x, const Conv& config) {
  const ir::Size2d same = {config.kernel.h / 2, config.kernel.w / 2};
  return basic_conv(b, path + config.name, x,
                    {.out_channels = config.channels,
                     .kernel = config.kernel,
                     .stride = {config.stride, config.stride},
                     .padding = config.stride == 1 ? same : ir::Size2d{0, 0}});
}

ir::ValueId branch(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                   std::initializer_list<Conv> convs) {
  for (const Conv& config : convs) x = conv(b, path, x, config);
  return x;
}

ir::ValueId pool_branch(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                        std::int64_t channels) {
  x = b.apply(
      path + "avg_pool",
      ir::AvgPool2d{.kernel = {3, 3}, .stride = {1, 1}, .padding = ir::Padding2d::symmetric(1, 1)},
      {x});
  return conv(b, path, x, {"branch_pool", channels});
}

// The five modules; the letters are TorchVision's.

ir::ValueId inception_a(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                        std::int64_t pool_channels) {
  return b.concat(path + "cat",
                  {conv(b, path, x, {"branch1x1", 64}),
                   branch(b, path, x, {{"branch5x5_1", 48}, {"branch5x5_2", 64, {5, 5}}}),
                   branch(b, path, x,
                          {{"branch3x3dbl_1", 64},
                           {"branch3x3dbl_2", 96, {3, 3}},
                           {"branch3x3dbl_3", 96, {3, 3}}}),
                   pool_branch(b, path, x, pool_channels)});
}

ir::ValueId inception_b(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  return b.concat(path + "cat", {conv(b, path, x, {"branch3x3", 384, {3, 3}, 2}),
                                 branch(b, path, x,
                                        {{"branch3x3dbl_1", 64},
                                         {"branch3x3dbl_2", 96, {3, 3}},
                                         {"branch3x3dbl_3", 96, {3, 3}, 2}}),
                                 b.max_pool(path + "max_pool", x, {.kernel = 3, .stride = 2})});
}

ir::ValueId inception_c(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                        std::int64_t hidden) {
  return b.concat(path + "cat", {conv(b, path, x, {"branch1x1", 192}),
                                 branch(b, path, x,
                                        {{"branch7x7_1", hidden},
                                         {"branch7x7_2", hidden, {1, 7}},
                                         {"branch7x7_3", 192, {7, 1}}}),
                                 branch(b, path, x,
                                        {{"branch7x7dbl_1", hidden},
                                         {"branch7x7dbl_2", hidden, {7, 1}},
                                         {"branch7x7dbl_3", hidden, {1, 7}},
                                         {"branch7x7dbl_4", hidden, {7, 1}},
                                         {"branch7x7dbl_5", 192, {1, 7}}}),
                                 pool_branch(b, path, x, 192)});
}

ir::ValueId inception_d(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  return b.concat(path + "cat",
                  {branch(b, path, x, {{"branch3x3_1", 192}, {"branch3x3_2", 320, {3, 3}, 2}}),
                   branch(b, path, x,
                          {{"branch7x7x3_1", 192},
                           {"branch7x7x3_2", 192, {1, 7}},
                           {"branch7x7x3_3", 192, {7, 1}},
                           {"branch7x7x3_4", 192, {3, 3}, 2}}),
                   b.max_pool(path + "max_pool", x, {.kernel = 3, .stride = 2})});
}

// A 1x3 and a 3x1 convolution side by side.
ir::ValueId split(ModuleBuilder& b, const std::string& path, const std::string& name,
                  ir::ValueId x) {
  const std::string a_name = name + "a";
  const std::string b_name = name + "b";
  return b.concat(path + name + ".cat", {conv(b, path, x, {a_name.c_str(), 384, {1, 3}}),
                                         conv(b, path, x, {b_name.c_str(), 384, {3, 1}})});
}

ir::ValueId inception_e(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  const ir::ValueId branch1x1 = conv(b, path, x, {"branch1x1", 320});
  ir::ValueId branch3x3 = conv(b, path, x, {"branch3x3_1", 384});
  branch3x3 = split(b, path, "branch3x3_2", branch3x3);
  ir::ValueId branch3x3dbl =
      branch(b, path, x, {{"branch3x3dbl_1", 448}, {"branch3x3dbl_2", 384, {3, 3}}});
  branch3x3dbl = split(b, path, "branch3x3dbl_3", branch3x3dbl);
  return b.concat(path + "cat", {branch1x1, branch3x3, branch3x3dbl, pool_branch(b, path, x, 192)});
}

ir::ValueId stem(ModuleBuilder& b, ir::ValueId x) {
  const PoolConfig pool = {.kernel = 3, .stride = 2};
  x = basic_conv(b, "Conv2d_1a_3x3", x, {.out_channels = 32, .kernel = {3, 3}, .stride = {2, 2}});
  x = basic_conv(b, "Conv2d_2a_3x3", x, {.out_channels = 32, .kernel = {3, 3}});
  x = basic_conv(b, "Conv2d_2b_3x3", x, {.out_channels = 64, .kernel = {3, 3}, .padding = {1, 1}});
  x = b.max_pool("maxpool1", x, pool);
  x = basic_conv(b, "Conv2d_3b_1x1", x, {.out_channels = 80});
  x = basic_conv(b, "Conv2d_4a_3x3", x, {.out_channels = 192, .kernel = {3, 3}});
  return b.max_pool("maxpool2", x, pool);
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const InceptionV3Config& /*config*/) {
  x = stem(b, transform_input(b, x));
  x = inception_a(b, "Mixed_5b.", x, 32);
  x = inception_a(b, "Mixed_5c.", x, 64);
  x = inception_a(b, "Mixed_5d.", x, 64);
  x = inception_b(b, "Mixed_6a.", x);
  x = inception_c(b, "Mixed_6b.", x, 128);
  x = inception_c(b, "Mixed_6c.", x, 160);
  x = inception_c(b, "Mixed_6d.", x, 160);
  x = inception_c(b, "Mixed_6e.", x, 192);
  x = inception_d(b, "Mixed_7a.", x);
  x = inception_e(b, "Mixed_7b.", x);
  x = inception_e(b, "Mixed_7c.", x);
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("fc", x, kImageNetClasses);
}

}  // namespace quantc::frontend
