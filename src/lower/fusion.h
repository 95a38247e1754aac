// Finds the Dequantize-op-Quantize patterns of a QDQ graph: what one kernel call computes.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace quantc::lower {

/// An integer tensor and how its codes map to reals.
struct QuantizedValue {
  ir::ValueId id = -1;
  ir::QuantParams params;
};

/// One fused operation: `core` on dequantized inputs, then a clip, then a Quantize.
struct FusedOp {
  std::string layer;
  std::optional<ir::NodeId> core;       ///< None: a chain of activations alone, or nothing.
  std::vector<QuantizedValue> inputs;   ///< Integer operands (not weights).
  std::optional<ir::ValueId> float_in;  ///< The float graph input, when that is what is quantized.
  std::vector<ir::NodeId> activations;  ///< In execution order.
  bool clips_only = true;               ///< No activation is any other function.
  float clip_lo = -std::numeric_limits<float>::infinity();  ///< Of all activations together.
  float clip_hi = std::numeric_limits<float>::infinity();
  ir::ValueId output = -1;                    ///< The Quantize's output, or a float graph output.
  std::optional<ir::QuantParams> out_params;  ///< None: the output is float32.
};

/// The fused operations in execution order; together they cover every node of the graph.
/// UnsupportedError naming the first layer that no pattern covers.
std::vector<FusedOp> fuse(const ir::Graph& qdq);

}  // namespace quantc::lower
