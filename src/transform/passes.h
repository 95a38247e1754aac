// Graph passes: each takes a graph and returns another that computes the same.
#pragma once

#include "ir/graph.h"

namespace quantc::transform {

/// A node whose inputs are all constants becomes a constant. Quantize and Dequantize stay.
ir::Graph fold_constants(const ir::Graph& graph);

/// A convolution or linear layer and the BatchNorm behind it become one layer, if nobody else reads
/// between them: w' = w * gamma * rsqrt(var + eps), b' = (b - mean) * gamma * rsqrt(var + eps) + beta.
ir::Graph fold_batch_norm(const ir::Graph& graph);

/// All passes before quantization, in order.
ir::Graph canonicalize(const ir::Graph& graph);

}  // namespace quantc::transform
