// Synthetic networks whose activations are alive: seeded weights, and BatchNorm statistics of
// pictures that were run through.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/progress.h"
#include "frontend/zoo/model_table.h"
#include "ir/graph.h"
#include "quantize/quantize.h"

namespace quantc::driver {

/// Pictures whose activations are held together; more would only cost memory.
constexpr std::size_t kMostStatisticsPictures = 8;

struct SyntheticNetwork {
  ir::Graph graph;           ///< Float; BatchNorms not folded.
  std::size_t pictures = 0;  ///< That the statistics come from.
  /// Share of the channels behind activation functions that have one value everywhere, in layers
  /// of several positions.
  double dead_channels = 0;
  /// Standard deviation of a picture's logits, mean over the pictures.
  double logit_spread = 0;
};

/// A network with weights of this seed. Each BatchNorm gets the mean and the biased variance of its
/// own input over the first pictures of the source. InputError if the source is empty.
SyntheticNetwork synthesize(const frontend::ModelInfo& model, std::uint64_t seed,
                            std::optional<std::int64_t> input_size,
                            const quantize::CalibrationSource& pictures,
                            const Progress& progress = silent);

/// Writes the network's state_dict as float32 safetensors.
void write_checkpoint(const SyntheticNetwork& network, const frontend::ModelInfo& model,
                      std::uint64_t seed, const std::filesystem::path& path);

}  // namespace quantc::driver
