// Tensors as views on a storage's bytes.
#pragma once

#include <cstddef>

#include "base/mapped_file.h"
#include "frontend/checkpoint/pickle.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// Makes the tensors of one file.
class StorageViews {
 public:
  /// A view that is not dense or not aligned is copied. Views may share a storage and repeat its
  /// elements (a stride of 0), so that a small file can ask for any amount: all copies together may
  /// take `copy_limit` bytes.
  explicit StorageViews(std::size_t copy_limit) : copies_left_(copy_limit) {}

  /// The tensor that `view` describes on the bytes of its whole storage: a view on them where it is
  /// contiguous and aligned, else a copy. InputError if any element lies outside of the storage, or
  /// beyond the limit of copies.
  ir::Tensor tensor(const PickleTensor& view, const SharedBytes& storage);

 private:
  std::size_t copies_left_;
};

}  // namespace quantc::frontend
