// Options that compile and sweep share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "driver/compile.h"

namespace quantc::cli {

struct QuantizeArguments {
  std::string weights;
  std::string calibration = QUANTC_DATA_DIR "/photos";
  std::string preset = "quantc";
  std::string observer = "histogram";
  std::string activations = "affine";
  bool quantize_outputs = false;
  std::uint64_t seed = 0;
  std::int64_t input_size = 0;  ///< 0: as the model table says.
  std::int64_t resize = 0;      ///< 0: as the model table says.

  void add_to(CLI::App& command);
  driver::CompileOptions options() const;
};

}  // namespace quantc::cli
