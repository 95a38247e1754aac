// The archive that torch.export.save writes: a ZIP with the program as JSON and its tensors, in the
// layout of torch 2.3 to 2.7 (every part a file of torch.save) or of torch 2.9 and later (a folder
// of raw storages).
#pragma once

#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "frontend/pt2/tensor_source.h"
#include "ir/tensor.h"

namespace quantc::frontend {

struct Pt2Archive {
  SharedBytes program;        ///< JSON text.
  TensorSource weights;       ///< Parameters and persistent buffers by state_dict key.
  TensorSource constants;     ///< Constants and other buffers by name.
  SharedBytes sample_inputs;  ///< A file of torch.save, or empty.

  std::string_view program_text() const {
    return {reinterpret_cast<const char*>(program.bytes.data()), program.bytes.size()};
  }
};

/// InputError if the file is no such archive, naming what it is instead, or is damaged;
/// UnsupportedError for a layout of another version and for several programs in one archive.
Pt2Archive read_pt2_archive(const SharedBytes& file);

/// The inputs with which the program was exported, in order; none if the archive holds none.
std::vector<ir::Tensor> sample_inputs(const Pt2Archive& archive);

}  // namespace quantc::frontend
