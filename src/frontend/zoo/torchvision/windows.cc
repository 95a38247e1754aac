#include "frontend/zoo/torchvision/windows.h"

namespace quantc::frontend {
namespace {

constexpr float kMasked = -100.0F;

// Regions of a turned map along one axis: none of two was adjacent to another before.
std::int64_t region_of(std::int64_t pixel, std::int64_t size, std::int64_t window,
                       std::int64_t shift) {
  if (pixel < size - window) return 0;
  return pixel < size - shift ? 1 : 2;
}

ir::ValueId roll_axis(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t axis,
                      std::int64_t first) {
  const std::int64_t size = b.shape(x).at(static_cast<std::size_t>(axis));
  const auto part = [&](const char* name, std::int64_t start, std::int64_t end) {
    return b.apply(path + name, ir::Slice{.axis = axis, .start = start, .end = end}, {x});
  };
  const ir::ValueId back = part(".back", first, size);
  const ir::ValueId front = part(".front", 0, first);
  return b.apply(path, ir::Concat{axis}, {back, front});
}

}  // namespace

// Windows are blocks of neighbors. Those of a grid have one pixel of each of window x window
// blocks.
ir::ValueId partition(ModuleBuilder& b, const std::string& path, ir::ValueId map,
                      const Partition& config) {
  const std::int64_t channels = b.shape(map).back();
  const std::int64_t others = config.size / config.window;
  const std::int64_t blocks = config.grid ? config.window : others;
  const std::int64_t block = config.grid ? others : config.window;
  map = b.apply(path + ".split", ir::Reshape{{blocks, block, blocks, block, channels}}, {map});
  map = config.grid ? b.apply(path, ir::Transpose{{1, 3, 0, 2, 4}}, {map})
                    : b.apply(path, ir::Transpose{{0, 2, 1, 3, 4}}, {map});
  return b.apply(path + ".flatten",
                 ir::Reshape{{others * others, config.window * config.window, channels}}, {map});
}

ir::ValueId departition(ModuleBuilder& b, const std::string& path, ir::ValueId groups,
                        const Partition& config) {
  const std::int64_t channels = b.shape(groups).back();
  const std::int64_t others = config.size / config.window;
  ir::ValueId map =
      b.apply(path + ".split",
              ir::Reshape{{others, others, config.window, config.window, channels}}, {groups});
  map = config.grid ? b.apply(path, ir::Transpose{{2, 0, 3, 1, 4}}, {map})
                    : b.apply(path, ir::Transpose{{0, 2, 1, 3, 4}}, {map});
  return b.apply(path + ".join", ir::Reshape{{1, config.size, config.size, channels}}, {map});
}

ir::ValueId pad_to_multiple(ModuleBuilder& b, const std::string& path, ir::ValueId map,
                            std::int64_t divisor) {
  const std::int64_t size = b.shape(map).at(1);
  const std::int64_t added = (divisor - size % divisor) % divisor;
  if (added == 0) return map;
  return b.apply(path, ir::Pad{.before = {0, 0, 0, 0}, .after = {0, added, added, 0}}, {map});
}

ir::ValueId crop(ModuleBuilder& b, const std::string& path, ir::ValueId map, std::int64_t size) {
  if (size == b.shape(map).at(1)) return map;
  map = b.apply(path + ".rows", ir::Slice{.axis = 1, .start = 0, .end = size}, {map});
  return b.apply(path, ir::Slice{.axis = 2, .start = 0, .end = size}, {map});
}

ir::ValueId roll(ModuleBuilder& b, const std::string& path, ir::ValueId map, std::int64_t first) {
  return roll_axis(b, path, roll_axis(b, path + ".rows", map, 1, first), 2, first);
}

ir::Tensor shift_mask(std::int64_t size, std::int64_t window, std::int64_t shift) {
  const std::int64_t windows = size / window;
  const std::int64_t tokens = window * window;
  const auto region = [&](std::int64_t token, std::int64_t row, std::int64_t column) {
    return 3 * region_of(row * window + token / window, size, window, shift) +
           region_of(column * window + token % window, size, window, shift);
  };
  std::vector<float> mask;
  mask.reserve(static_cast<std::size_t>(windows * windows * tokens * tokens));
  for (std::int64_t i = 0; i < windows * windows * tokens * tokens; ++i) {
    const std::int64_t row = i / (tokens * tokens) / windows;
    const std::int64_t column = i / (tokens * tokens) % windows;
    const bool together =
        region(i / tokens % tokens, row, column) == region(i % tokens, row, column);
    mask.push_back(together ? 0.0F : kMasked);
  }
  return ir::Tensor::of({windows * windows, 1, tokens, tokens}, mask);
}

ir::Tensor relative_position_index(std::int64_t window, const ir::Shape& shape) {
  const std::int64_t tokens = window * window;
  std::vector<std::int64_t> index;
  for (std::int64_t i = 0; i < tokens; ++i) {
    for (std::int64_t j = 0; j < tokens; ++j) {
      const std::int64_t down = i / window - j / window + window - 1;
      const std::int64_t right = i % window - j % window + window - 1;
      index.push_back(down * (2 * window - 1) + right);
    }
  }
  return ir::Tensor::of(shape, index);
}

ir::ValueId position_bias(ModuleBuilder& b, const std::string& path, ir::ValueId table,
                          ir::ValueId index, std::int64_t window) {
  const std::int64_t tokens = window * window;
  const std::int64_t heads = b.shape(table).at(1);
  ir::ValueId bias = b.apply(path + ".gather", ir::Gather{0}, {table, index});
  bias = b.apply(path + ".split", ir::Reshape{{tokens, tokens, heads}}, {bias});
  return b.apply(path, ir::Transpose{{2, 0, 1}}, {bias});
}

}  // namespace quantc::frontend
