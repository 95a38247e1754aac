#include "frontend/checkpoint/storage_view.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "base/error.h"

namespace quantc::frontend {
namespace {

// A view must not stand for more than this many bytes: a stride of 0 can claim any size.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;

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
  if (view.sizes.size() != view.strides.size())
    throw InputError("as many strides as sizes expected");
  Extent extent;
  extent.last = checked_sum(view.storage.first_element, view.offset);
  for (std::size_t i = view.sizes.size(); i-- > 0;) {
    const std::int64_t size = view.sizes[i];
    const std::int64_t stride = view.strides[i];
    if (size < 0 || stride < 0) throw InputError("a negative size or stride");
    if (size > 1 && stride != extent.elements) extent.contiguous = false;
    extent.elements = checked_product(extent.elements, size);
    if (size > 0) extent.last = checked_sum(extent.last, checked_product(size - 1, stride));
  }
  return extent;
}

void copy_strided(std::size_t dim, const PickleTensor& view, std::size_t size,
                  const std::byte* from, std::byte*& to) {
  if (dim == view.sizes.size()) {
    std::memcpy(to, from, size);
    to += size;
    return;
  }
  const std::size_t step = static_cast<std::size_t>(view.strides[dim]) * size;
  for (std::int64_t i = 0; i < view.sizes[dim]; ++i, from += step) {
    copy_strided(dim + 1, view, size, from, to);
  }
}

}  // namespace

ir::Tensor tensor_on_storage(const PickleTensor& view, const SharedBytes& storage) {
  const Extent extent = extent_of(view);
  const ir::TensorType type{view.storage.dtype, view.sizes};
  const std::size_t size = ir::size_of(type.dtype);
  const auto available = static_cast<std::int64_t>(storage.bytes.size() / size);
  const std::int64_t first = checked_sum(view.storage.first_element, view.offset);
  if (extent.elements == 0) return {type, {}};
  if (first < 0 || extent.last >= available || view.offset < 0) {
    throw InputError(
        fmt::format("expected a view inside of its storage of {} elements, found {} to {}",
                    available, first, extent.last));
  }
  if (extent.elements > kMaxBytes / static_cast<std::int64_t>(size)) {
    throw InputError(fmt::format("a tensor of {} elements is too large", extent.elements));
  }
  const std::size_t begin = static_cast<std::size_t>(first) * size;
  const std::byte* data = storage.bytes.data() + begin;
  if (extent.contiguous && reinterpret_cast<std::uintptr_t>(data) % size == 0) {
    return {type, storage.part(begin, type.bytes())};
  }
  std::vector<std::byte> copy(type.bytes());
  std::byte* to = copy.data();
  copy_strided(0, view, size, data, to);
  return {type, own_bytes(std::move(copy))};
}

}  // namespace quantc::frontend
