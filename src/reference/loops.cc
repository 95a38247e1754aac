#include "reference/loops.h"

namespace quantc::reference {

Strides dense_strides(const ir::Shape& shape) {
  Strides strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<std::size_t>(shape[i]);
  }
  return strides;
}

Strides broadcast_strides(const ir::Shape& operand, const ir::Shape& out) {
  const Strides dense = dense_strides(operand);
  const std::size_t added = out.size() - operand.size();
  Strides strides(out.size(), 0);
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (operand[i] > 1) strides[added + i] = dense[i];
  }
  return strides;
}

std::vector<Loop> merged_loops(const ir::Shape& shape, const Strides& first,
                               const Strides& second) {
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto size = static_cast<std::size_t>(shape[i]);
    if (size == 1) continue;
    const bool continues = !loops.empty() && loops.back().first_stride == size * first[i] &&
                           loops.back().second_stride == size * second[i];
    const std::size_t outer = continues ? loops.back().size : 1;
    if (continues) loops.pop_back();
    loops.push_back({outer * size, first[i], second[i]});
  }
  if (loops.empty()) loops.push_back({1, 1, 1});
  return loops;
}

}  // namespace quantc::reference
