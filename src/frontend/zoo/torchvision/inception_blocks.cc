#include "frontend/zoo/torchvision/inception_blocks.h"

#include <array>

namespace quantc::frontend {
namespace {

struct Channel {
  double mean, deviation;
};

constexpr std::array<Channel, 3> kImageNet = {{{0.485, 0.229}, {0.456, 0.224}, {0.406, 0.225}}};

ir::Tensor scalar(double value) {
  return ir::Tensor::of({1}, std::vector<float>{static_cast<float>(value)});
}

}  // namespace

ir::ValueId transform_input(ModuleBuilder& b, ir::ValueId image) {
  std::vector<ir::ValueId> channels;
  for (std::size_t c = 0; c < kImageNet.size(); ++c) {
    const std::string path = "transform_input." + std::to_string(c);
    const auto first = static_cast<std::int64_t>(c);
    ir::ValueId x =
        b.apply(path + ".slice", ir::Slice{.axis = 1, .start = first, .end = first + 1}, {image});
    x = b.apply(path + ".mul", ir::Mul{},
                {x, b.constant(path + ".scale", scalar(kImageNet[c].deviation / 0.5))});
    x = b.add(path + ".add", x,
              b.constant(path + ".offset", scalar((kImageNet[c].mean - 0.5) / 0.5)));
    channels.push_back(x);
  }
  return b.concat("transform_input.cat", std::move(channels));
}

ir::ValueId basic_conv(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                       ConvConfig config) {
  config.bias = false;
  x = b.batch_norm(path + ".bn", b.conv(path + ".conv", x, config), {.eps = 1e-3});
  return b.relu(path + ".relu", x);
}

}  // namespace quantc::frontend
