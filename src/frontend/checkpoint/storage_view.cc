#include "frontend/checkpoint/storage_view.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"

namespace quantc::frontend {
namespace {

constexpr std::size_t kMaxRank = 64;  ///< PyTorch's own limit for most operators.

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw InputError("a tensor's size overflows");
  return product;
}

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw InputError("a tensor's extent overflows");
  return sum;
}

struct Extent {
  std::int64_t elements = 1;  ///< Of the tensor.
  std::int64_t last = 0;      ///< Largest index into the storage.
  bool contiguous = true;
};

Extent extent_of(const PickleTensor& view) {
  const std::size_t rank = view.sizes.size();
  if (rank != view.strides.size() || rank > kMaxRank) {
    throw InputError(fmt::format("expected as many strides as sizes, at most {}, found {} and {}",
                                 kMaxRank, view.strides.size(), rank));
  }
  Extent extent;
  extent.last = checked_sum(view.storage.first_element, view.offset);
  for (std::size_t i = rank; i-- > 0;) {
    const std::int64_t size = view.sizes[i];
    const std::int64_t stride = view.strides[i];
    if (size < 0 || stride < 0) throw InputError("a negative size or stride");
    if (size > 1 && stride != extent.elements) extent.contiguous = false;
    extent.elements = checked_product(extent.elements, size);
    if (size > 0) extent.last = checked_sum(extent.last, checked_product(size - 1, stride));
  }
  if (extent.elements == 0 && ir::element_count(view.sizes) != 0) {
    throw InputError("a tensor's size overflows");
  }
  return extent;
}

void require_inside(const PickleTensor& view, const Extent& extent, std::int64_t available) {
  const std::int64_t declared = checked_sum(view.storage.first_element, view.storage.elements);
  if (declared > available) {
    throw InputError(
        fmt::format("expected a storage of {} elements, found {}", declared, available));
  }
  if (view.storage.first_element < 0 || view.offset < 0 || extent.last >= available) {
    throw InputError(
        fmt::format("expected a view inside of its storage of {} elements, found {} to {}",
                    available, view.storage.first_element + view.offset, extent.last));
  }
}

void copy_strided(std::size_t dim, const PickleTensor& view, std::size_t size,
                  const std::byte* from, std::byte*& to) {
  if (dim == view.sizes.size()) {
    std::memcpy(to, from, size);
    to += size;
    return;
  }
  const auto count = static_cast<std::size_t>(view.sizes[dim]);
  const std::size_t step = static_cast<std::size_t>(view.strides[dim]) * size;
  for (std::size_t i = 0; i < count; ++i) copy_strided(dim + 1, view, size, from + i * step, to);
}

}  // namespace

ir::Tensor StorageViews::tensor(const PickleTensor& view, const SharedBytes& storage) {
  const Extent extent = extent_of(view);
  const ir::TensorType type{view.storage.dtype, view.sizes};
  if (extent.elements == 0) return {type, {}};
  const std::size_t size = ir::size_of(type.dtype);
  require_inside(view, extent, static_cast<std::int64_t>(storage.bytes.size() / size));
  const auto begin = static_cast<std::size_t>(view.storage.first_element + view.offset) * size;
  const std::byte* data = storage.bytes.data() + begin;
  if (extent.contiguous && reinterpret_cast<std::uintptr_t>(data) % size == 0) {
    return {type, storage.part(begin, type.bytes())};
  }
  if (static_cast<std::size_t>(extent.elements) > copies_left_ / size) {
    throw InputError(fmt::format(
        "expected views that need at most {} more bytes as dense tensors, found one of {} elements",
        copies_left_, extent.elements));
  }
  copies_left_ -= type.bytes();
  std::vector<std::byte> copy(type.bytes());
  std::byte* to = copy.data();
  copy_strided(0, view, size, data, to);
  return {type, own_bytes(std::move(copy))};
}

}  // namespace quantc::frontend
