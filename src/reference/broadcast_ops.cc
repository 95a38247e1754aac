// Ops that combine two operands element by element, stretched as NumPy does.
#include <functional>
#include <span>

#include "reference/kernels.h"
#include "reference/loops.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

// The innermost loop. Both operands are dense, so a stride is 0 or 1 there, and not 0 in both.
template <typename Combine>
void combine_row(const Loop& loop, const float* a, const float* b, float* y, Combine combine) {
  if (loop.first_stride == 0) {
    for (std::size_t i = 0; i < loop.size; ++i) y[i] = combine(*a, b[i]);
  } else if (loop.second_stride == 0) {
    for (std::size_t i = 0; i < loop.size; ++i) y[i] = combine(a[i], *b);
  } else {
    for (std::size_t i = 0; i < loop.size; ++i) y[i] = combine(a[i], b[i]);
  }
}

// Writes the elements of y in order and returns the end.
template <typename Combine>
float* combine_rows(std::span<const Loop> loops, const float* a, const float* b, float* y,
                    Combine combine) {
  const Loop& outer = loops.front();
  if (loops.size() == 1) {
    combine_row(outer, a, b, y, combine);
    return y + outer.size;
  }
  for (std::size_t i = 0; i < outer.size; ++i) {
    y = combine_rows(loops.subspan(1), a, b, y, combine);
    a += outer.first_stride;
    b += outer.second_stride;
  }
  return y;
}

template <typename Combine>
ir::Tensor combined(const Tensors& in, const ir::Shape& out, Combine combine) {
  TensorBuilder<float> y(out);
  const auto loops = merged_loops(out, broadcast_strides(in[0].shape(), out),
                                  broadcast_strides(in[1].shape(), out));
  combine_rows(loops, in[0].values<float>().data(), in[1].values<float>().data(), y.values().data(),
               combine);
  return y.take();
}

}  // namespace

ir::Tensor run(const ir::Add& /*op*/, const Tensors& in, const ir::Shape& out) {
  return combined(in, out, std::plus<>());
}

ir::Tensor run(const ir::Sub& /*op*/, const Tensors& in, const ir::Shape& out) {
  return combined(in, out, std::minus<>());
}

ir::Tensor run(const ir::Mul& /*op*/, const Tensors& in, const ir::Shape& out) {
  return combined(in, out, std::multiplies<>());
}

ir::Tensor run(const ir::Div& /*op*/, const Tensors& in, const ir::Shape& out) {
  return combined(in, out, std::divides<>());
}

}  // namespace quantc::reference
