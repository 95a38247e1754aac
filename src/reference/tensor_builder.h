// A tensor that is being written.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ir/tensor.h"

namespace quantc::reference {

template <typename T>
class TensorBuilder {
 public:
  explicit TensorBuilder(ir::Shape shape)
      : type_{ir::dtype_of<T>(), std::move(shape)}, buffer_(type_.bytes()) {}

  std::span<T> values() {
    return {reinterpret_cast<T*>(buffer_.data()), static_cast<std::size_t>(type_.elements())};
  }
  ir::Tensor take() { return {std::move(type_), own_bytes(std::move(buffer_))}; }

 private:
  ir::TensorType type_;
  std::vector<std::byte> buffer_;
};

}  // namespace quantc::reference
