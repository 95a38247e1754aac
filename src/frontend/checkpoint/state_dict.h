// The tensors of a checkpoint by key, whatever the file's format.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "frontend/checkpoint/safetensors.h"
#include "ir/tensor.h"

namespace quantc::frontend {

struct StateDict {
  std::string path;
  NamedTensors tensors;
  std::map<std::string, std::int64_t> versions;  ///< `_metadata`: module prefix to version.
};

/// Reads a .pth of torch.save (zip or stream) or a .safetensors file, told apart by content. A
/// training checkpoint's `state_dict` is unwrapped; a `module.` in front of every key is dropped;
/// the file's name precedes every error.
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

/// The tensor as float32: itself if it is, widened or narrowed if it is another float type.
ir::Tensor as_float32(const ir::Tensor& tensor);

}  // namespace quantc::frontend
