// Operators that move, repeat or rename elements, and those that do nothing at inference.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

Operands same(Call& call) { return {call.tensor("self")}; }

// At inference its argument; the in-place form names that differently.
Operands dropout_of(Call& call, std::string_view argument) {
  call.require(!call.flag("train"), "dropout with train = False; call model.eval() before export");
  return {call.tensor(argument)};
}

Operands dropout(Call& call) { return dropout_of(call, "input"); }

Operands dropout_in_place(Call& call) { return dropout_of(call, "self"); }

Operand reshape_to(Call& call, const Operand& x, const ir::Shape& shape) {
  if (call.shape(x) == shape) return x;
  return call.emit(ir::Reshape{shape}, {x});
}

Operands view(Call& call) { return {reshape_to(call, call.tensor("self"), call.integers("size"))}; }

Operands reshape(Call& call) {
  return {reshape_to(call, call.tensor("self"), call.integers("shape"))};
}

Operands flatten(Call& call) {
  const Operand x = call.tensor("self");
  const ir::Shape& shape = call.shape(x);
  if (shape.empty()) return {reshape_to(call, x, {1})};
  const std::int64_t start = call.axis("start_dim", shape.size());
  const std::int64_t end = call.axis("end_dim", shape.size());
  call.require(start <= end, "start_dim <= end_dim");
  if (end + 1 == std::ssize(shape)) return {call.emit(ir::Flatten{start}, {x})};
  ir::Shape merged(shape.begin(), shape.begin() + start);
  merged.push_back(ir::element_count(ir::Shape(shape.begin() + start, shape.begin() + end + 1)));
  merged.insert(merged.end(), shape.begin() + end + 1, shape.end());
  return {reshape_to(call, x, merged)};
}

Operands unflatten(Call& call) {
  const Operand x = call.tensor("self");
  ir::Shape shape = call.shape(x);
  const std::int64_t axis = call.axis("dim", shape.size());
  const ir::Shape sizes = call.integers("sizes");
  const auto at = shape.erase(shape.begin() + axis);
  shape.insert(at, sizes.begin(), sizes.end());
  return {reshape_to(call, x, shape)};
}

// Those of the named dimensions whose size is 1 disappear.
Operands squeeze(Call& call) {
  const Operand x = call.tensor("self");
  const ir::Shape& shape = call.shape(x);
  std::vector<bool> named(shape.size());
  for (const std::int64_t axis : call.integers("dim")) {
    named[static_cast<std::size_t>(call.normalized_axis(axis, shape.size()))] = true;
  }
  ir::Shape squeezed;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!named[i] || shape[i] != 1) squeezed.push_back(shape[i]);
  }
  return {reshape_to(call, x, squeezed)};
}

Operands unsqueeze(Call& call) {
  const Operand x = call.tensor("self");
  ir::Shape shape = call.shape(x);
  shape.insert(shape.begin() + call.axis("dim", shape.size() + 1), 1);
  return {reshape_to(call, x, shape)};
}

Operand expand_to(Call& call, const Operand& x, ir::Shape shape) {
  const ir::Shape& from = call.shape(x);
  call.require(shape.size() >= from.size(), "at least as many sizes as the tensor has");
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::int64_t& size = shape[shape.size() - from.size() + i];
    if (size == -1) size = from[i];
  }
  return call.shape(x) == shape ? x : call.emit(ir::Expand{shape}, {x});
}

Operands expand(Call& call) {
  return {expand_to(call, call.tensor("self"), call.integers("size"))};
}

Operands expand_as(Call& call) {
  return {expand_to(call, call.tensor("self"), call.shape(call.tensor("other")))};
}

Operands permute(Call& call) {
  const Operand x = call.tensor("self");
  std::vector<std::int64_t> perm = call.integers("dims");
  for (std::int64_t& axis : perm) axis = call.normalized_axis(axis, call.shape(x).size());
  return {call.emit(ir::Transpose{perm}, {x})};
}

Operands swapped(Call& call, std::string_view first, std::string_view second) {
  const Operand x = call.tensor("self");
  const std::size_t rank = call.shape(x).size();
  std::vector<std::int64_t> perm(rank);
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[static_cast<std::size_t>(call.axis(first, rank))],
            perm[static_cast<std::size_t>(call.axis(second, rank))]);
  return {call.emit(ir::Transpose{perm}, {x})};
}

Operands matrix_transpose(Call& call) {
  const Operand x = call.tensor("self");
  const std::size_t rank = call.shape(x).size();
  call.require(rank <= 2, "a tensor of rank 2 or less");
  return {rank < 2 ? x : call.emit(ir::Transpose{{1, 0}}, {x})};
}

Operands transpose(Call& call) { return swapped(call, "dim0", "dim1"); }

Operands swapaxes(Call& call) { return swapped(call, "axis0", "axis1"); }

Operand part(Call& call, const Operand& x, const ir::Slice& slice, std::string_view suffix = {}) {
  const std::int64_t size = call.shape(x)[static_cast<std::size_t>(slice.axis)];
  if (slice.start == 0 && slice.end == size && slice.step == 1) return x;
  return call.emit(slice, {x}, suffix);
}

Operands slice(Call& call) {
  const Operand x = call.tensor("self");
  return {part(call, x, call.slice_of(call.shape(x)))};
}

Operands select(Call& call) {
  const Operand x = call.tensor("self");
  ir::Shape shape = call.shape(x);
  const std::int64_t axis = call.axis("dim", shape.size());
  const std::int64_t index = call.normalized_axis(
      call.integer("index"), static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]));
  const Operand one = part(call, x, {axis, index, index + 1}, ".slice");
  shape.erase(shape.begin() + axis);
  return {reshape_to(call, one, shape)};
}

Operands split_into(Call& call, const Operand& x, std::int64_t axis,
                    const std::vector<std::int64_t>& sizes) {
  Operands parts;
  std::int64_t start = 0;
  const std::int64_t available = call.shape(x)[static_cast<std::size_t>(axis)];
  for (const std::int64_t size : sizes) {
    call.require(size >= 1 && size <= available - start,
                 fmt::format("parts that add up to {}", available));
    parts.push_back(part(call, x, {axis, start, start + size}, fmt::format(".{}", parts.size())));
    start += size;
  }
  call.require(start == available, fmt::format("parts that add up to {}", available));
  return parts;
}

Operands split_with_sizes(Call& call) {
  const Operand x = call.tensor("self");
  return split_into(call, x, call.axis("dim", call.shape(x).size()), call.integers("split_sizes"));
}

// Parts of `size`, of which the last may be smaller.
Operands split_evenly(Call& call, const Operand& x, std::int64_t axis, std::int64_t size) {
  const std::int64_t available = call.shape(x)[static_cast<std::size_t>(axis)];
  call.require(size >= 1, "parts of one element or more");
  const std::int64_t count = (available - 1) / size + 1;
  call.require(count == std::ssize(call.outputs()), fmt::format("{} results", count));
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(count), size);
  sizes.back() = available - (count - 1) * size;
  return split_into(call, x, axis, sizes);
}

Operands split(Call& call) {
  const Operand x = call.tensor("self");
  const std::int64_t axis = call.axis("dim", call.shape(x).size());
  return split_evenly(call, x, axis, call.integer("split_size"));
}

Operands chunk(Call& call) {
  const Operand x = call.tensor("self");
  const std::int64_t axis = call.axis("dim", call.shape(x).size());
  const std::int64_t chunks = call.integer("chunks");
  call.require(chunks >= 1, "one chunk or more");
  const std::int64_t available = call.shape(x)[static_cast<std::size_t>(axis)];
  return split_evenly(call, x, axis, (available - 1) / chunks + 1);
}

Operands all_of(const Call& call) {
  Operands operands;
  for (const std::optional<Operand>& item : call.tensors("tensors")) {
    call.require(item.has_value(), "tensors, not None");
    operands.push_back(*item);
  }
  call.require(!operands.empty(), "one tensor or more");
  return operands;
}

Operands concat(Call& call) {
  const Operands operands = all_of(call);
  const std::int64_t axis = call.axis("dim", call.shape(operands.front()).size());
  return {call.emit(ir::Concat{axis}, operands)};
}

// Pairs of sizes in front and behind, the last dimension first; negative ones would cut.
ir::Pad padding_of(const Call& call, std::size_t rank, double value) {
  const std::vector<std::int64_t> sizes = call.integers("pad");
  call.require(sizes.size() % 2 == 0 && sizes.size() / 2 <= rank, "a pair for each dimension");
  ir::Pad pad{ir::Shape(rank), ir::Shape(rank), static_cast<float>(value)};
  for (std::size_t i = 0; i < sizes.size() / 2; ++i) {
    pad.before[rank - 1 - i] = sizes[2 * i];
    pad.after[rank - 1 - i] = sizes[2 * i + 1];
  }
  return pad;
}

Operands padded(Call& call, double value) {
  const Operand x = call.tensor("self");
  const std::vector<std::int64_t> sizes = call.integers("pad");
  if (std::ranges::all_of(sizes, [](auto size) { return size == 0; })) return {x};
  return {call.emit(padding_of(call, call.shape(x).size(), value), {x})};
}

Operands pad(Call& call) {
  call.require(call.text("mode") == "constant", "mode = 'constant'");
  return padded(call, call.optional_number("value").value_or(0));
}

Operands constant_pad(Call& call) { return padded(call, call.number("value")); }

// Along each dimension the last `shift` elements come first.
Operands roll(Call& call) {
  const std::vector<std::int64_t> shifts = call.integers("shifts");
  const std::vector<std::int64_t> dims = call.integers("dims");
  call.require(shifts.size() == dims.size(), "a dimension for each shift");
  Operand x = call.tensor("self");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t axis = call.normalized_axis(dims[i], call.shape(x).size());
    const std::int64_t size = call.shape(x)[static_cast<std::size_t>(axis)];
    const std::int64_t shift = (shifts[i] % size + size) % size;
    if (shift == 0) continue;
    const Operand tail = call.emit(ir::Slice{axis, size - shift, size}, {x}, ".tail");
    const Operand head = call.emit(ir::Slice{axis, 0, size - shift}, {x}, ".head");
    x = call.emit(ir::Concat{axis}, {tail, head});
  }
  return {x};
}

// x[:, :, index] with one tensor among the indices.
Operands index(Call& call) {
  const std::vector<std::optional<Operand>> indices = call.tensors("indices");
  const auto given = [](const std::optional<Operand>& item) { return item.has_value(); };
  call.require(std::ranges::count_if(indices, given) == 1, "one index tensor");
  const auto at = std::ranges::find_if(indices, given);
  return {call.emit(ir::Gather{at - indices.begin()}, {call.tensor("self"), **at})};
}

// Programs convert to the type that a tensor has already.
Operands to_dtype(Call& call) {
  const Operand x = call.tensor("self");
  call.require(call.type(x).dtype == call.dtype("dtype"), "a conversion to the same element type");
  return {x};
}

constexpr auto kOps = std::to_array<AtenOp>({
    {"aten.contiguous.default", "self memory_format=0", Result::kView, same},
    {"aten.alias.default", "self", Result::kAlias, same},
    {"aten.detach.default", "self", Result::kAlias, same},
    {"aten.detach_.default", "self", Result::kAlias, same},
    {"aten.dropout.default", "input p train", Result::kAlias, dropout},
    {"aten.dropout_.default", "self p train", Result::kAlias, dropout_in_place},
    {"aten.to.dtype", "self dtype non_blocking=False copy=False memory_format=None", Result::kView,
     to_dtype},
    {"aten.view.default", "self size", Result::kView, view},
    {"aten._unsafe_view.default", "self size", Result::kView, view},
    {"aten.reshape.default", "self shape", Result::kView, reshape},
    {"aten.flatten.using_ints", "self start_dim=0 end_dim=-1", Result::kView, flatten},
    {"aten.unflatten.int", "self dim sizes", Result::kView, unflatten},
    {"aten.squeeze.dim", "self dim", Result::kView, squeeze},
    {"aten.squeeze.dims", "self dim", Result::kView, squeeze},
    {"aten.unsqueeze.default", "self dim", Result::kView, unsqueeze},
    {"aten.expand.default", "self size implicit=False", Result::kView, expand},
    {"aten.expand_as.default", "self other", Result::kView, expand_as},
    {"aten.permute.default", "self dims", Result::kView, permute},
    {"aten.t.default", "self", Result::kView, matrix_transpose},
    {"aten.transpose.int", "self dim0 dim1", Result::kView, transpose},
    {"aten.swapaxes.default", "self axis0 axis1", Result::kView, swapaxes},
    {"aten.slice.Tensor", "self dim=0 start=None end=None step=1", Result::kView, slice},
    {"aten.select.int", "self dim index", Result::kView, select},
    {"aten.split_with_sizes.default", "self split_sizes dim=0", Result::kView, split_with_sizes},
    {"aten.split.Tensor", "self split_size dim=0", Result::kView, split},
    {"aten.chunk.default", "self chunks dim=0", Result::kView, chunk},
    {"aten.cat.default", "tensors dim=0", Result::kNew, concat},
    {"aten.pad.default", "self pad mode='constant' value=None", Result::kNew, pad},
    {"aten.constant_pad_nd.default", "self pad value=0", Result::kNew, constant_pad},
    {"aten.roll.default", "self shifts dims=[]", Result::kNew, roll},
    {"aten.index.Tensor", "self indices", Result::kNew, index},
});

}  // namespace

std::span<const AtenOp> movement_ops() { return kOps; }

}  // namespace quantc::frontend
