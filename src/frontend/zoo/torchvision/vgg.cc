// VGG (Simonyan, Zisserman 2014).
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {

constexpr std::array<std::int64_t, 5> kChannels = {64, 128, 256, 512, 512};

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const VggConfig& config) {
  int index = 0;
  const auto next = [&] { return "features." + std::to_string(index++); };
  for (std::size_t stage = 0; stage < kChannels.size(); ++stage) {
    for (std::int64_t i = 0; i < config.convs_per_stage[stage]; ++i) {
      x = b.conv(next(), x,
                 {.out_channels = kChannels[stage], .kernel = {3, 3}, .padding = {1, 1}});
      if (config.batch_norm) x = b.batch_norm(next(), x);
      x = b.relu(next(), x);
    }
    x = b.max_pool(next(), x, {.kernel = 2, .stride = 2});
  }
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 7));
  x = b.relu("classifier.1", b.linear("classifier.0", x, 4096));
  x = b.relu("classifier.4", b.linear("classifier.3", x, 4096));
  return b.linear("classifier.6", x, kImageNetClasses);
}

}  // namespace quantc::frontend
