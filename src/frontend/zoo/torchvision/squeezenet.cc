// SqueezeNet (Iandola et al. 2016); its pools round their output size up.
#include <algorithm>
#include <array>

#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

struct Version {
  std::int64_t stem_channels, stem_kernel;
  std::array<int, 3> pools;  // Their indices in `features`; the others from 3 to 12 are fires.
};

constexpr Version kVersion10 = {96, 7, {2, 6, 11}};
constexpr Version kVersion11 = {64, 3, {2, 5, 8}};
constexpr int kLastFeature = 12;

ir::ValueId fire(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t squeeze) {
  const std::int64_t expand = squeeze * 4;
  x = b.conv(path + ".squeeze", x, {.out_channels = squeeze});
  x = b.relu(path + ".squeeze_activation", x);
  const ir::ValueId one = b.conv(path + ".expand1x1", x, {.out_channels = expand});
  const ir::ValueId three =
      b.conv(path + ".expand3x3", x, {.out_channels = expand, .kernel = {3, 3}, .padding = {1, 1}});
  return b.concat(path + ".cat", {b.relu(path + ".expand1x1_activation", one),
                                  b.relu(path + ".expand3x3_activation", three)});
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const SqueezeNetConfig& config) {
  const Version& version = config.version_1_1 ? kVersion11 : kVersion10;
  x = b.conv("features.0", x,
             {.out_channels = version.stem_channels,
              .kernel = {version.stem_kernel, version.stem_kernel},
              .stride = {2, 2}});
  x = b.relu("features.1", x);
  std::int64_t fires = 0;
  for (int index = 2; index <= kLastFeature; ++index) {
    const std::string path = "features." + std::to_string(index);
    const bool is_pool = std::ranges::find(version.pools, index) != version.pools.end();
    x = is_pool ? b.max_pool(path, x, {.kernel = 3, .stride = 2, .ceil_mode = true})
                : fire(b, path, x, 16 * (1 + fires++ / 2));
  }
  x = b.conv("classifier.1", x, {.out_channels = kImageNetClasses});
  x = b.adaptive_avg_pool("classifier.3", b.relu("classifier.2", x), 1);
  return b.flatten("flatten", x);
}

}  // namespace quantc::frontend
