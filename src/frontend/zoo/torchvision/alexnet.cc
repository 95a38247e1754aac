// AlexNet in its one-tower form (Krizhevsky 2014).
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const AlexNetConfig& /*config*/) {
  const PoolConfig pool{.kernel = 3, .stride = 2};
  x = b.conv("features.0", x,
             {.out_channels = 64, .kernel = {11, 11}, .stride = {4, 4}, .padding = {2, 2}});
  x = b.max_pool("features.2", b.relu("features.1", x), pool);
  x = b.conv("features.3", x, {.out_channels = 192, .kernel = {5, 5}, .padding = {2, 2}});
  x = b.max_pool("features.5", b.relu("features.4", x), pool);
  x = b.conv("features.6", x, {.out_channels = 384, .kernel = {3, 3}, .padding = {1, 1}});
  x = b.relu("features.7", x);
  x = b.conv("features.8", x, {.out_channels = 256, .kernel = {3, 3}, .padding = {1, 1}});
  x = b.relu("features.9", x);
  x = b.conv("features.10", x, {.out_channels = 256, .kernel = {3, 3}, .padding = {1, 1}});
  x = b.max_pool("features.12", b.relu("features.11", x), pool);
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 6));
  x = b.relu("classifier.2", b.linear("classifier.1", x, 4096));
  x = b.relu("classifier.5", b.linear("classifier.4", x, 4096));
  return b.linear("classifier.6", x, kImageNetClasses);
}

}  // namespace quantc::frontend
