// Where a network comes from: the zoo, or a program that torch.export wrote.
#pragma once

#include <filesystem>
#include <string>

#include "frontend/zoo/model_table.h"
#include "image/preprocess.h"

namespace quantc::driver {

struct NetworkSource {
  std::string name;
  const frontend::ModelInfo* zoo = nullptr;  ///< Set for a network of the zoo,
  std::filesystem::path program;             ///< else the .pt2 file.
};

NetworkSource zoo_network(const frontend::ModelInfo& model);

/// The .pt2 file of this path or the zoo's network of this name. InputError if there is neither.
NetworkSource find_network(const std::string& what);

/// ImageNet's usual preprocessing for a square input, with a margin of an eighth: for programs,
/// which do not say their own.
image::Preprocessing usual_preprocessing(std::int64_t input_size);

}  // namespace quantc::driver
