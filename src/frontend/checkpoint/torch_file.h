// Files of torch.save: the zip format (since 1.6) and the older stream of pickles.
#pragma once

#include <functional>
#include <span>

#include "base/mapped_file.h"
#include "frontend/checkpoint/pickle.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// What a file of torch.save holds; the pickle's text is valid as long as the file's bytes are.
struct TorchFile {
  Pickle pickle;
  /// The tensor of a value in the pickle. InputError if its storage is missing or too small, or if
  /// dense copies of views take many times the file's size.
  std::function<ir::Tensor(const PickleTensor&)> tensor;
};

TorchFile read_torch_zip(const SharedBytes& file);
TorchFile read_torch_stream(const SharedBytes& file);

}  // namespace quantc::frontend
