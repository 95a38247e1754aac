// Tensors as views on a storage's bytes.
#pragma once

#include "base/mapped_file.h"
#include "frontend/checkpoint/pickle.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// The tensor that `view` describes on the bytes of its whole storage: a view on them where it is
/// contiguous and aligned, else a copy. InputError if any element lies outside of the storage.
ir::Tensor tensor_on_storage(const PickleTensor& view, const SharedBytes& storage);

}  // namespace quantc::frontend
