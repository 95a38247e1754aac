// MnasNet (Tan et al. 2018), the variant B1 without squeeze-and-excitation.
#include "frontend/zoo/torchvision/conv_norm_activation.h"
#include "frontend/zoo/torchvision/families.h"

namespace quantc::frontend {
namespace {

struct Stack {
  std::int64_t expansion, kernel, stride, channels, repeats;
};

constexpr std::array<Stack, 6> kStacks = {{{3, 3, 2, 24, 3},
                                           {3, 5, 2, 40, 3},
                                           {6, 5, 2, 80, 3},
                                           {6, 3, 1, 96, 2},
                                           {6, 5, 2, 192, 4},
                                           {6, 3, 1, 320, 1}}};
constexpr int kFirstStack = 8;  // Its index in `layers`, after the stem's convolutions.

// Layers of one sequence: `path` and a number that counts up.
class Sequence {
 public:
  Sequence(ModuleBuilder& builder, std::string path, int first = 0)
      : b_(builder), path_(std::move(path)), index_(first) {}

  ir::ValueId conv_norm(ir::ValueId x, std::int64_t channels, std::int64_t kernel = 1,
                        std::int64_t stride = 1, std::int64_t groups = 1,
                        const NormConfig& norm = {}) {
    x = b_.conv(next(), x,
                {.out_channels = channels,
                 .kernel = {kernel, kernel},
                 .stride = {stride, stride},
                 .padding = {kernel / 2, kernel / 2},
                 .groups = groups,
                 .bias = false});
    return b_.batch_norm(next(), x, norm);
  }

  ir::ValueId relu(ir::ValueId x) { return b_.relu(next(), x); }

 private:
  std::string next() { return path_ + std::to_string(index_++); }

  ModuleBuilder& b_;
  std::string path_;
  int index_;
};

ir::ValueId inverted_residual(ModuleBuilder& b, const std::string& path, ir::ValueId input,
                              const Stack& stack, std::int64_t stride) {
  const bool residual = stride == 1 && b.channels(input) == stack.channels;
  const std::int64_t hidden = b.channels(input) * stack.expansion;
  Sequence layers(b, path + ".layers.");
  ir::ValueId x = layers.relu(layers.conv_norm(input, hidden));
  x = layers.relu(layers.conv_norm(x, hidden, stack.kernel, stride, hidden));
  x = layers.conv_norm(x, stack.channels, 1, 1, 1, {.ends_residual_branch = residual});
  return residual ? b.add(path + ".add", x, input) : x;
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MnasNetConfig& config) {
  const auto scaled = [](std::int64_t channels, double width) {
    return make_divisible(static_cast<double>(channels) * width, 8);
  };
  const double stem_width = config.fixed_stem ? 1.0 : config.width;
  const std::int64_t stem_channels = scaled(32, stem_width);
  Sequence stem(b, "layers.");
  x = stem.relu(stem.conv_norm(x, stem_channels, 3, 2));
  x = stem.relu(stem.conv_norm(x, stem_channels, 3, 1, stem_channels));
  x = stem.conv_norm(x, scaled(16, stem_width));
  int index = kFirstStack;
  for (Stack stack : kStacks) {
    stack.channels = scaled(stack.channels, config.width);
    const std::string path = "layers." + std::to_string(index++) + ".";
    for (std::int64_t i = 0; i < stack.repeats; ++i) {
      x = inverted_residual(b, path + std::to_string(i), x, stack, i == 0 ? stack.stride : 1);
    }
  }
  Sequence head(b, "layers.", index);
  x = head.relu(head.conv_norm(x, 1280));
  x = b.apply("mean", ir::Mean{.axes = {2, 3}}, {x});
  return b.linear("classifier.1", x, kImageNetClasses);
}

}  // namespace quantc::frontend
