// Builds an artifact with the host's C compiler and runs it as a process of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ir/tensor.h"
#include "lower/program.h"

namespace quantc::execute {

struct BuildOptions {
  std::string compiler = "cc";
  std::string flags = "-O3";
};

/// Builds `folder`/model. InputError with the compiler's output if that fails.
void build(const std::filesystem::path& folder, const BuildOptions& options = {});

struct RunResult {
  std::vector<ir::Tensor> outputs;  ///< float32, shapes of the program's outputs.
  double run_ms = 0;                ///< The fastest of the repetitions.
  std::vector<std::byte> trace;     ///< Every call's output, dense NCHW, if asked for.
};

struct RunOptions {
  int repeat = 1;
  bool trace = false;
};

/// Runs the built model. `output_shapes` as the manifest or the program tells them. InputError
/// naming the layer, kernel and status if a kernel fails.
RunResult run(const std::filesystem::path& folder, const std::vector<ir::Tensor>& inputs,
              const std::vector<ir::Shape>& output_shapes, const RunOptions& options = {});

/// Runs every call alone on inputs of its own (dense NCHW bytes, concatenated in order); returns
/// the outputs, concatenated.
std::vector<std::byte> run_layers(const std::filesystem::path& folder,
                                  const std::vector<std::byte>& inputs);

}  // namespace quantc::execute
