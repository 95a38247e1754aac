// Graph passes: each takes a graph and returns another that computes the same.
#pragma once

#include "ir/graph.h"

namespace quantc::transform {

/// A node whose inputs are all constants becomes a constant. Dequantize stays: constants that are
/// quantized stay codes.
ir::Graph fold_constants(const ir::Graph& graph);

/// Nodes that change neither values nor shape go: reshape and flatten to the same shape, adaptive
/// pooling to the same size, 1x1 pooling with stride 1, clip without bounds, concat of one tensor.
/// Inputs and outputs of the graph keep their names; a node between two of them stays.
ir::Graph remove_no_ops(const ir::Graph& graph);

/// An Add of a constant behind a convolution or linear layer becomes part of the layer's bias, if
/// nobody else reads between them and the constant has one element or one for each output channel.
ir::Graph fold_bias_add(const ir::Graph& graph);

/// A convolution or linear layer and the BatchNorm behind it become one layer, if nobody else reads
/// between them: w' = w * (gamma * rsqrt(var + eps)), b' = (b - mean) * rsqrt(var + eps) * gamma +
/// beta, in float32 and this order, as torch.nn.utils.fusion does. InputError naming layer and
/// channel if var + eps is not a positive number.
ir::Graph fold_batch_norm(const ir::Graph& graph);

/// True if the graph holds Quantize nodes.
bool is_quantized(const ir::Graph& graph);

/// The graph without rounding: Quantize and Dequantize of activations go, dequantized constants
/// become float constants. It computes in float32 what the quantized graph approximates.
ir::Graph without_quantization(const ir::Graph& graph);

/// UnsupportedError naming the layer unless every weight, bias and BatchNorm parameter is a
/// constant (or the Quantize or Dequantize of one).
void require_constant_weights(const ir::Graph& graph);

/// All passes before quantization, in order, then require_constant_weights.
ir::Graph canonicalize(const ir::Graph& graph);

}  // namespace quantc::transform
