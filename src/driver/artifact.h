// The manifest of an artifact, read back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "image/preprocess.h"
#include "ir/tensor.h"

namespace quantc::driver {

struct LayerSummary {
  std::string name;
  std::string kernel;
  bool offloaded = false;
  std::string not_offloaded;
  std::int64_t macs = 0;
  double multiplier_error = 0;
};

struct Manifest {
  std::string model;
  std::string target;
  std::string preset;
  bool synthetic_weights = false;
  image::Preprocessing preprocessing;
  std::vector<ir::Shape> outputs;
  std::int64_t weights_bytes = 0;
  std::int64_t arena_bytes = 0;
  std::int64_t arena_lower_bound = 0;
  std::vector<LayerSummary> layers;
};

/// InputError if the folder holds no artifact.
Manifest read_manifest(const std::filesystem::path& folder);

}  // namespace quantc::driver
