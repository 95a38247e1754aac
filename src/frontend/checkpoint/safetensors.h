// The .safetensors format: 8 bytes of header length, a JSON header, raw tensors.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "ir/tensor.h"

namespace quantc::frontend {

using NamedTensors = std::vector<std::pair<std::string, ir::Tensor>>;

/// The tensors in the order of their data. InputError naming the tensor on a damaged header, data
/// outside of the file, overlaps, or sizes that do not match shape and type.
NamedTensors read_safetensors(const SharedBytes& file);

/// Writes the tensors in the order given; the same input gives the same bytes.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace quantc::frontend
