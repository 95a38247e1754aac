// Windows of a square feature map [1,size,size,channels], within which attention looks (Liu et al.
// 2021).
#pragma once

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

/// How a map falls into groups of window x window pixels.
struct Partition {
  std::int64_t size;    ///< Of the map; a multiple of the window's.
  std::int64_t window;  ///< Pixels along one side.
  bool grid = false;    ///< Groups of pixels spread evenly over the map (Tu et al. 2022), not of
                        ///< neighbors.
};

/// The map in groups, [groups,window*window,channels].
ir::ValueId partition(ModuleBuilder& b, const std::string& path, ir::ValueId map,
                      const Partition& config);

/// The inverse.
ir::ValueId departition(ModuleBuilder& b, const std::string& path, ir::ValueId groups,
                        const Partition& config);

/// The map with zeros below and on the right, up to a multiple of `divisor`; unchanged if it is
/// one.
ir::ValueId pad_to_multiple(ModuleBuilder& b, const std::string& path, ir::ValueId map,
                            std::int64_t divisor);

/// The first `size` pixels of each row and column.
ir::ValueId crop(ModuleBuilder& b, const std::string& path, ir::ValueId map, std::int64_t size);

/// The map turned cyclically along both axes, so that its pixel (first, first) comes to (0, 0).
ir::ValueId roll(ModuleBuilder& b, const std::string& path, ir::ValueId map, std::int64_t first);

/// What is added to the scores within the windows of a map that `roll` turned by `shift`: 0 between
/// pixels that were neighbors before, -100 between others; f32[windows,1,w*w,w*w].
ir::Tensor shift_mask(std::int64_t size, std::int64_t window, std::int64_t shift);

/// For each two pixels of a window the row of a table of all relative positions that is theirs, i64
/// of `shape`, which holds w^4 elements.
ir::Tensor relative_position_index(std::int64_t window, const ir::Shape& shape);

/// From a table [(2w-1)^2,heads] and such an index the bias of the scores, [heads,w*w,w*w].
ir::ValueId position_bias(ModuleBuilder& b, const std::string& path, ir::ValueId table,
                          ir::ValueId index, std::int64_t window);

}  // namespace quantc::frontend
