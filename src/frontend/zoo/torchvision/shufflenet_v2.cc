// ShuffleNetV2 (Ma et al. 2018).
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

constexpr std::int64_t kStemChannels = 24;
constexpr std::array<std::int64_t, 3> kRepeats = {4, 8, 4};

// The convolution `path`N without bias and the norm after it.
ir::ValueId conv_norm(ModuleBuilder& b, const std::string& path, int number, ir::ValueId x,
                      ConvConfig config) {
  config.bias = false;
  x = b.conv(path + std::to_string(number), x, config);
  return b.batch_norm(path + std::to_string(number + 1), x);
}

ConvConfig depthwise(std::int64_t channels, std::int64_t stride) {
  return {.out_channels = channels,
          .kernel = {3, 3},
          .stride = {stride, stride},
          .padding = {1, 1},
          .groups = channels};
}

ir::ValueId main_branch(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                        std::int64_t channels, std::int64_t stride) {
  x = b.relu(path + "2", conv_norm(b, path, 0, x, {.out_channels = channels}));
  x = conv_norm(b, path, 3, x, depthwise(channels, stride));
  return b.relu(path + "7", conv_norm(b, path, 5, x, {.out_channels = channels}));
}

ir::ValueId downsampling_branch(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                                std::int64_t channels) {
  x = conv_norm(b, path, 0, x, depthwise(b.channels(x), 2));
  return b.relu(path + "4", conv_norm(b, path, 2, x, {.out_channels = channels}));
}

ir::ValueId half(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t start) {
  const std::int64_t channels = b.channels(x) / 2;
  return b.apply(path, ir::Slice{.axis = 1, .start = start, .end = start + channels}, {x});
}

// Channels of the first and the second half in turn.
ir::ValueId channel_shuffle(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  const ir::Shape shape = b.shape(x);
  x = b.apply(path + "view", ir::Reshape{{shape[0], 2, shape[1] / 2, shape[2], shape[3]}}, {x});
  x = b.apply(path + "transpose", ir::Transpose{{0, 2, 1, 3, 4}}, {x});
  return b.apply(path + "shuffle", ir::Reshape{shape}, {x});
}

ir::ValueId unit(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t channels,
                 std::int64_t stride) {
  const std::int64_t branch_channels = channels / 2;
  ir::ValueId first = x;
  ir::ValueId second = x;
  if (stride == 1) {
    first = half(b, path + "chunk.0", x, 0);
    second = half(b, path + "chunk.1", x, branch_channels);
  } else {
    first = downsampling_branch(b, path + "branch1.", x, branch_channels);
  }
  second = main_branch(b, path + "branch2.", second, branch_channels, stride);
  return channel_shuffle(b, path, b.concat(path + "cat", {first, second}));
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const ShuffleNetV2Config& config) {
  x = conv_norm(
      b, "conv1.", 0, x,
      {.out_channels = kStemChannels, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  x = b.max_pool("maxpool", b.relu("conv1.2", x), {.kernel = 3, .stride = 2, .padding = 1});
  for (std::size_t stage = 0; stage < kRepeats.size(); ++stage) {
    for (std::int64_t i = 0; i < kRepeats[stage]; ++i) {
      const std::string path = "stage" + std::to_string(stage + 2) + "." + std::to_string(i) + ".";
      x = unit(b, path, x, config.channels[stage], i == 0 ? 2 : 1);
    }
  }
  x = b.relu("conv5.2", conv_norm(b, "conv5.", 0, x, {.out_channels = config.last_channels}));
  x = b.apply("mean", ir::Mean{.axes = {2, 3}}, {x});
  return b.linear("fc", x, kImageNetClasses);
}

}  // namespace quantc::frontend
