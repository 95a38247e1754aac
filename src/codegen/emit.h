// Writes a program as standalone C.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lower/program.h"
#include "memory/plan.h"

namespace quantc::codegen {

/// weights.bin: the constants one after another, each aligned to 64 bytes.
struct WeightBlob {
  std::vector<std::int64_t> offsets;  ///< By constant.
  std::int64_t bytes = 0;
};

WeightBlob plan_weights(const lower::Program& program);

/// model.c: parameter tables, one function a layer, and the list of layers.
std::string emit_model(const lower::Program& program, const memory::Plan& plan,
                       const WeightBlob& weights);

/// Writes model.c, model.h, weights.bin, the runtime sources the program needs, main.c and a
/// Makefile into `folder`.
void write_sources(const lower::Program& program, const memory::Plan& plan,
                   const std::filesystem::path& folder);

}  // namespace quantc::codegen
