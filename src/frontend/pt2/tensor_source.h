// Tensors of an archive by name, made when they are asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "frontend/checkpoint/zip_reader.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// The tensor of a name: a view on the file where its alignment allows it. InputError naming it if
/// it is missing or does not fit its storage.
using TensorSource = std::function<ir::Tensor(const std::string& name)>;

/// Knows no name.
TensorSource no_tensors();

/// The dict of tensors that torch.save wrote into an archive's member; an empty member knows none.
TensorSource torch_tensors(const SharedBytes& member);

/// Raw storages: `config` (JSON) gives for each name the member below `folder` and how the tensor
/// lies in it. Only members that begin with `folder` are kept.
TensorSource raw_tensors(const SharedBytes& config, const std::string& folder,
                         const std::vector<ZipMember>& members);

/// The tensors anywhere in the value that torch.save wrote, in order.
std::vector<ir::Tensor> torch_tensor_list(const SharedBytes& member);

}  // namespace quantc::frontend
