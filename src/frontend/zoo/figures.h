// What a network costs, computed from its graph.
#pragma once

#include <cstdint>

#include "ir/graph.h"

namespace quantc::frontend {

struct Figures {
  std::int64_t parameters = 0;         ///< Trained numbers: all constants but running statistics.
  std::int64_t macs = 0;               ///< Multiply-accumulates of one inference.
  std::int64_t int8_weight_bytes = 0;  ///< Of convolutions and linear layers, biases excluded.
};

/// Figures of a float graph whose BatchNorms are not folded.
Figures figures_of(const ir::Graph& graph);

}  // namespace quantc::frontend
