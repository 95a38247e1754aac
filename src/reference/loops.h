// Nested loops over two strided tensors, from the outermost in.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/tensor.h"

namespace quantc::reference {

/// Steps between neighbors along each dimension, in elements.
using Strides = std::vector<std::size_t>;

struct Loop {
  std::size_t size;
  std::size_t first_stride;
  std::size_t second_stride;
};

/// Strides of a dense row-major tensor.
Strides dense_strides(const ir::Shape& shape);

/// Strides of a dense operand inside of the shape it broadcasts to; 0 where it is stretched.
Strides broadcast_strides(const ir::Shape& operand, const ir::Shape& out);

/// As few loops as visit `shape` in row-major order, one at least: dimensions of size 1 are left
/// out, and neighbors become one loop where both tensors allow it.
std::vector<Loop> merged_loops(const ir::Shape& shape, const Strides& first, const Strides& second);

}  // namespace quantc::reference
