// The whole way from a network of the zoo to an artifact, for the command line and the sweep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "driver/network.h"
#include "ir/graph.h"
#include "lower/program.h"
#include "memory/plan.h"
#include "quantize/quantize.h"

namespace quantc::driver {

struct CompileOptions {
  std::optional<std::filesystem::path> weights;  ///< File or folder; none: synthetic.
  std::uint64_t seed = 0;                        ///< Of synthetic weights.
  std::string calibration;                       ///< File, folder, or random:N.
  std::optional<std::int64_t> input_size;        ///< Of the network; none: its own.
  std::optional<std::int64_t> resize;            ///< Of photos; none: in proportion to the input.
  quantize::QuantizeOptions quantize;
  Progress progress = silent;
};

struct CompiledModel {
  std::string name;
  bool synthetic_weights = false;
  image::Preprocessing preprocessing;
  ir::Graph float_graph;
  ir::Graph qdq_graph;
  lower::Program program;
  memory::Plan plan;
  std::vector<std::string> notes;
  double quantize_s = 0;
  double compile_s = 0;
};

/// A program that is quantized already keeps its own parameters. InputError where an option does
/// not go with the network.
CompiledModel compile_model(const NetworkSource& network, const CompileOptions& options);

/// Bytes that a board must hold.
struct Ledger {
  std::int64_t weights = 0;
  std::int64_t arena = 0;
  std::int64_t io = 0;
  std::int64_t total() const { return weights + arena + io; }
};

Ledger ledger_of(const CompiledModel& compiled);

/// The memory of TI's C7x heap on the AM67A, in bytes.
constexpr std::int64_t kPoolBytes = std::int64_t{352} << 20;

/// Share of the multiply-accumulates in [0, 1].
struct MacShares {
  double int8 = 0;
  double offloaded = 0;
};

MacShares mac_shares(const CompiledModel& compiled);

/// Writes C sources, weights, manifest.json, graph.txt and program.txt into `folder`.
void write_artifact(const CompiledModel& compiled, const CompileOptions& options,
                    const std::filesystem::path& folder);

/// The weights file of a network: `path` itself, or in that folder <model>.pth,
/// <model>.safetensors or the official file name. InputError if none is there.
std::filesystem::path find_weights(const std::filesystem::path& path,
                                   const frontend::ModelInfo& model);

/// The picture, or the pictures of a folder by name. InputError if there is none.
std::vector<std::filesystem::path> find_images(const std::filesystem::path& path);

/// Calibration inputs: preprocessed pictures, or random:N normal tensors.
quantize::CalibrationSource calibration_source(const std::string& from,
                                               const image::Preprocessing& preprocessing,
                                               const Progress& progress = silent);

}  // namespace quantc::driver
