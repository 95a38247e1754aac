// The tensors of a checkpoint by key, whatever the file's format.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "frontend/checkpoint/safetensors.h"
#include "ir/tensor.h"

namespace quantc::frontend {

struct StateDict {
  std::string path;
  NamedTensors tensors;
  std::map<std::string, std::int64_t> versions;  ///< `_metadata`: module prefix to version.
};

/// Reads a .pth of torch.save (zip or stream) or a .safetensors file, told apart by content. Of a
/// training checkpoint the dict under `state_dict`, `model_state_dict` or `model` is taken; a
/// `module.` in front of every key is dropped. The tensors are views on the file.
StateDict read_checkpoint(const SharedBytes& file);

/// The same from a file, whose name precedes every error. A zip's checksums must be right.
StateDict load_checkpoint(const std::filesystem::path& path);

/// A parameter that a network needs.
struct ExpectedTensor {
  std::string key;
  ir::Shape shape;
};

/// The float32 tensors that `expected` names. InputError with the complete list of what is missing,
/// unexpected and misshaped; `num_batches_tracked` is never needed and never in the way. A NaN or
/// an infinity is refused with key and index.
std::map<std::string, ir::Tensor> bind_tensors(const StateDict& state_dict,
                                               const std::vector<ExpectedTensor>& expected);

}  // namespace quantc::frontend
