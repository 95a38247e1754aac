// Ops that move, repeat or rename elements.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "reference/kernels.h"
#include "reference/loops.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

template <typename T>
void copy_row(const Loop& loop, const T* from, T* to) {
  if (loop.second_stride == 1 && loop.first_stride == 1) {
    std::copy_n(from, loop.size, to);
  } else if (loop.second_stride == 1 && loop.first_stride == 0) {
    std::fill_n(to, loop.size, *from);
  } else {
    for (std::size_t i = 0; i < loop.size; ++i) {
      to[i * loop.second_stride] = from[i * loop.first_stride];
    }
  }
}

// Two loops that swap: neighbors along `rows` are neighbors in `from`, along `columns` in `to`.
// In tiles, so that every cache line is used as a whole.
template <typename T>
void copy_tiles(const Loop& rows, const Loop& columns, const T* from, T* to) {
  constexpr std::size_t kTile = 16;
  for (std::size_t row = 0; row < rows.size; row += kTile) {
    const std::size_t row_end = std::min(row + kTile, rows.size);
    for (std::size_t column = 0; column < columns.size; column += kTile) {
      const Loop part{std::min(kTile, columns.size - column), columns.first_stride, 1};
      for (std::size_t i = row; i < row_end; ++i) {
        copy_row(part, from + i + column * columns.first_stride,
                 to + i * rows.second_stride + column);
      }
    }
  }
}

template <typename T>
void copy_nest(std::span<const Loop> loops, const T* from, T* to) {
  const Loop& outer = loops.front();
  if (loops.size() == 1) return copy_row(outer, from, to);
  const Loop& inner = loops[1];
  const bool swaps = outer.first_stride == 1 && inner.first_stride > 1 && inner.second_stride == 1;
  if (loops.size() == 2 && swaps) return copy_tiles(outer, inner, from, to);
  for (std::size_t i = 0; i < outer.size; ++i) {
    copy_nest(loops.subspan(1), from + i * outer.first_stride, to + i * outer.second_stride);
  }
}

// Copies the elements of a block of `shape`; the strides are those of `from` and `to`.
template <typename T>
void copy_block(const ir::Shape& shape, const Strides& from_strides, const T* from,
                const Strides& to_strides, T* to) {
  std::vector<Loop> loops = merged_loops(shape, from_strides, to_strides);
  // For copy_tiles, the loop over neighbors in `from` comes just before the last.
  const auto last = loops.end() - 1;
  const auto neighbors =
      std::find_if(loops.begin(), last, [](const Loop& loop) { return loop.first_stride == 1; });
  if (neighbors != last) std::rotate(neighbors, neighbors + 1, last);
  copy_nest<T>(loops, from, to);
}

// The elements of x from `offset` on with these strides, as a dense tensor.
template <typename Word>
ir::Tensor gathered_words(const ir::Tensor& x, const Strides& strides, std::size_t offset,
                          const ir::Shape& out) {
  ir::TensorType type{x.dtype(), out};
  std::vector<std::byte> y(type.bytes());
  copy_block(out, strides, reinterpret_cast<const Word*>(x.bytes().data()) + offset,
             dense_strides(out), reinterpret_cast<Word*>(y.data()));
  return {std::move(type), own_bytes(std::move(y))};
}

ir::Tensor strided(const ir::Tensor& x, const Strides& strides, std::size_t offset,
                   const ir::Shape& out) {
  switch (ir::size_of(x.dtype())) {
    case 1:
      return gathered_words<std::uint8_t>(x, strides, offset, out);
    case 2:
      return gathered_words<std::uint16_t>(x, strides, offset, out);
    case 4:
      return gathered_words<std::uint32_t>(x, strides, offset, out);
    default:
      return gathered_words<std::uint64_t>(x, strides, offset, out);
  }
}

template <typename Int>
std::vector<std::size_t> checked_indices(const ir::Tensor& indices, std::int64_t size) {
  std::vector<std::size_t> checked;
  for (const std::int64_t index : indices.values<Int>()) {
    if (index < 0 || index >= size) {
      throw InputError("expected indices from 0 to " + std::to_string(size - 1) + ", found " +
                       std::to_string(index) + " at element " + std::to_string(checked.size()));
    }
    checked.push_back(at(index));
  }
  return checked;
}

}  // namespace

ir::Tensor run(const ir::Flatten& /*op*/, const Tensors& in, const ir::Shape& out) {
  return in[0].reshaped(out);
}

ir::Tensor run(const ir::Reshape& /*op*/, const Tensors& in, const ir::Shape& out) {
  return in[0].reshaped(out);
}

ir::Tensor run(const ir::Transpose& op, const Tensors& in, const ir::Shape& out) {
  const Strides strides = dense_strides(in[0].shape());
  Strides moved;
  for (const std::int64_t axis : op.perm) moved.push_back(strides[at(axis)]);
  return strided(in[0], moved, 0, out);
}

ir::Tensor run(const ir::Slice& op, const Tensors& in, const ir::Shape& out) {
  Strides strides = dense_strides(in[0].shape());
  const std::size_t stride = strides[at(op.axis)];
  strides[at(op.axis)] = stride * at(op.step);
  return strided(in[0], strides, stride * at(op.start), out);
}

ir::Tensor run(const ir::Expand& /*op*/, const Tensors& in, const ir::Shape& out) {
  return strided(in[0], broadcast_strides(in[0].shape(), out), 0, out);
}

ir::Tensor run(const ir::Pad& op, const Tensors& in, const ir::Shape& out) {
  TensorBuilder<float> y(out);
  std::fill(y.values().begin(), y.values().end(), op.value);
  const Strides strides = dense_strides(out);
  std::size_t offset = 0;
  for (std::size_t i = 0; i < out.size(); ++i) offset += at(op.before[i]) * strides[i];
  copy_block(in[0].shape(), dense_strides(in[0].shape()), in[0].values<float>().data(), strides,
             y.values().data() + offset);
  return y.take();
}

ir::Tensor run(const ir::Gather& op, const Tensors& in, const ir::Shape& out) {
  const ir::Tensor& x = in[0];
  const std::int64_t size = x.shape()[at(op.axis)];
  const std::vector<std::size_t> indices = in[1].dtype() == ir::DType::kInt32
                                               ? checked_indices<std::int32_t>(in[1], size)
                                               : checked_indices<std::int64_t>(in[1], size);
  const std::size_t run_bytes = dense_strides(x.shape())[at(op.axis)] * ir::size_of(x.dtype());
  const std::size_t row_bytes = run_bytes * at(size);
  std::vector<std::byte> y;
  y.reserve(ir::TensorType{x.dtype(), out}.bytes());
  for (std::size_t row = 0; row < x.bytes().size(); row += row_bytes) {
    for (const std::size_t index : indices) {
      const auto from = x.bytes().subspan(row + index * run_bytes, run_bytes);
      y.insert(y.end(), from.begin(), from.end());
    }
  }
  return {{x.dtype(), out}, own_bytes(std::move(y))};
}

ir::Tensor run(const ir::Concat& op, const Tensors& in, const ir::Shape& out) {
  std::vector<std::byte> joined;
  joined.reserve(ir::TensorType{in[0].dtype(), out}.bytes());
  const auto axis = out.begin() + op.axis;
  const auto outer = static_cast<std::size_t>(ir::element_count(ir::Shape(out.begin(), axis)));
  for (std::size_t row = 0; row < outer; ++row) {
    for (const ir::Tensor& part : in) {
      const std::size_t run_bytes = part.bytes().size() / outer;
      const auto from = part.bytes().subspan(row * run_bytes, run_bytes);
      joined.insert(joined.end(), from.begin(), from.end());
    }
  }
  return {{in[0].dtype(), out}, own_bytes(std::move(joined))};
}

}  // namespace quantc::reference
