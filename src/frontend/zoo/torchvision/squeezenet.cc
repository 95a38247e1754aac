// SqueezeNet (Iandola et al. 2016); its pools round their output size up.
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

ir::ValueId fire(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t squeeze,
                 std::int64_t expand) {
  x = b.conv(path + ".squeeze", x, {.out_channels = squeeze});
  x = b.relu(path + ".squeeze_activation", x);
  const ir::ValueId one = b.conv(path + ".expand1x1", x, {.out_channels = expand});
  const ir::ValueId three = b.conv(path + ".expand3x3", x,
                                   {.out_channels = expand, .kernel = {3, 3}, .padding = {1, 1}});
  return b.concat(path + ".cat", {b.relu(path + ".expand1x1_activation", one),
                                  b.relu(path + ".expand3x3_activation", three)});
}

struct Version {
  std::int64_t stem_channels, stem_kernel;
  int pools[3];   // indices of the pools in `features`
  int fires[8];   // indices of the fire modules
};

constexpr Version kVersion10 = {96, 7, {2, 6, 11}, {3, 4, 5, 7, 8, 9, 10, 12}};
constexpr Version kVersion11 = {64, 3, {2, 5, 8}, {3, 4, 6, 7, 9, 10, 11, 12}};
constexpr std::int64_t kSqueeze[8] = {16, 16, 32, 32, 48, 48, 64, 64};

}  // namespace

ir::ValueId build_squeezenet(ModuleBuilder& b, ir::ValueId x, const SqueezeNetConfig& config) {
  const Version& version = config.version_1_1 ? kVersion11 : kVersion10;
  const auto path = [](int index) { return "features." + std::to_string(index); };
  x = b.conv("features.0", x,
             {.out_channels = version.stem_channels,
              .kernel = {version.stem_kernel, version.stem_kernel},
              .stride = {2, 2}});
  x = b.relu("features.1", x);
  int pool = 0;
  for (int i = 0; i < 8; ++i) {
    if (pool < 3 && version.pools[pool] < version.fires[i]) {
      x = b.max_pool(path(version.pools[pool++]), x,
                     {.kernel = 3, .stride = 2, .ceil_mode = true});
    }
    x = fire(b, path(version.fires[i]), x, kSqueeze[i], kSqueeze[i] * 4);
  }
  x = b.conv("classifier.1", x, {.out_channels = kImageNetClasses});
  x = b.adaptive_avg_pool("classifier.3", b.relu("classifier.2", x), 1);
  return b.flatten("flatten", x);
}

}  // namespace quantc::frontend
