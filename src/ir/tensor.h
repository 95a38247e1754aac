// Dense constant tensors: a type and a view on bytes that something keeps alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "ir/dtype.h"

namespace quantc::ir {

using Shape = std::vector<std::int64_t>;

/// Number of elements; 1 for a scalar (rank 0), the largest integer if the product does not fit.
std::int64_t element_count(const Shape& shape);

/// "[1,3,224,224]".
std::string to_string(const Shape& shape);

struct TensorType {
  DType dtype = DType::kFloat32;
  Shape shape;

  std::int64_t elements() const { return element_count(shape); }
  std::size_t bytes() const { return static_cast<std::size_t>(elements()) * size_of(dtype); }
  bool operator==(const TensorType&) const = default;
};

/// "f32[1,3,224,224]".
std::string to_string(const TensorType& type);

/// An immutable row-major tensor. Copies share the bytes. The bytes of a tensor that views a mapped
/// file may be unaligned for its element type only where the file's format allows it; readers of
/// such formats copy instead, so `values` is always valid.
class Tensor {
 public:
  Tensor() = default;

  /// InternalError unless the bytes have exactly the type's size and alignment.
  Tensor(TensorType type, SharedBytes data);

  /// Owns a copy of `values`.
  template <typename T>
  static Tensor of(Shape shape, const std::vector<T>& values) {
    std::vector<std::byte> buffer(values.size() * sizeof(T));
    if (!buffer.empty()) std::memcpy(buffer.data(), values.data(), buffer.size());
    return {{dtype_of<T>(), std::move(shape)}, own_bytes(std::move(buffer))};
  }

  const TensorType& type() const { return type_; }
  const Shape& shape() const { return type_.shape; }
  DType dtype() const { return type_.dtype; }
  std::int64_t elements() const { return type_.elements(); }
  std::span<const std::byte> bytes() const { return data_.bytes; }
  const SharedBytes& data() const { return data_; }

  /// The elements in row-major order; InternalError if T is not the tensor's element type.
  template <typename T>
  std::span<const T> values() const {
    if (dtype_of<T>() != type_.dtype) {
      throw InternalError("a tensor of " + std::string(name_of(type_.dtype)) + " read as " +
                          std::string(name_of(dtype_of<T>())));
    }
    return {reinterpret_cast<const T*>(data_.bytes.data()), static_cast<std::size_t>(elements())};
  }

  /// The same bytes under another shape of as many elements.
  Tensor reshaped(Shape shape) const;

 private:
  TensorType type_{DType::kFloat32, {0}};
  SharedBytes data_;
};

}  // namespace quantc::ir
