// What a network costs, computed from its graph as built: what a compiler may compute ahead of the
// first inference counts too, as in TorchVision's figures.
#pragma once

#include <cstdint>

#include "frontend/zoo/weight_source.h"
#include "ir/graph.h"

namespace quantc::frontend {

struct Figures {
  std::int64_t parameters = 0;         ///< Trained numbers; running statistics are not trained.
  std::int64_t macs = 0;               ///< Multiply-accumulates of one inference.
  std::int64_t int8_weight_bytes = 0;  ///< Of convolutions and linear layers, biases excluded.
};

/// Figures of a float graph whose BatchNorms are not folded, built with these weights.
Figures figures_of(const ir::Graph& graph, const WeightRecorder& weights);

}  // namespace quantc::frontend
