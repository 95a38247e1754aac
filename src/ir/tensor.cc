#include "ir/tensor.h"

#include <limits>
#include <utility>

namespace quantc::ir {

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count))
      return std::numeric_limits<std::int64_t>::max();
  }
  return count;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ',';
    text += std::to_string(size);
  }
  return text + "]";
}

std::string to_string(const TensorType& type) {
  return std::string(name_of(type.dtype)) + to_string(type.shape);
}

Tensor::Tensor(TensorType type, SharedBytes data) : type_(std::move(type)), data_(std::move(data)) {
  if (data_.bytes.size() != type_.bytes()) {
    throw InternalError("a tensor " + to_string(type_) + " needs " + std::to_string(type_.bytes()) +
                        " bytes, found " + std::to_string(data_.bytes.size()));
  }
  if (reinterpret_cast<std::uintptr_t>(data_.bytes.data()) % size_of(type_.dtype) != 0) {
    throw InternalError("the bytes of a tensor " + to_string(type_) + " are not aligned");
  }
}

Tensor Tensor::reshaped(Shape shape) const { return {{type_.dtype, std::move(shape)}, data_}; }

}  // namespace quantc::ir
