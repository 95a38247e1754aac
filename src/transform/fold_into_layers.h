// Joins a layer with the node behind it: the walk that the folding passes share.
#pragma once

#include <functional>
#include <optional>

#include "ir/graph.h"
#include "ir/tensor.h"

namespace quantc::transform {

/// What a layer's constants become; no weight: it stays as it is.
struct FoldedConstants {
  std::optional<ir::Tensor> weight;
  ir::Tensor bias;
};

/// Decides on a layer and the only node that reads its output; nothing if they do not fold. Weight
/// and bias of the layer are constants.
using Fold = std::function<std::optional<FoldedConstants>(
    const ir::Graph& graph, const ir::Node& layer, const ir::Node& reader)>;

/// Every conv2d, conv_transpose2d or linear that `fold` joins with its reader takes the reader's
/// place and output. Chains fold from the front.
ir::Graph fold_into_layers(const ir::Graph& graph, const Fold& fold);

/// True if all inputs but the first are constants.
bool has_constant_parameters(const ir::Graph& graph, const ir::Node& node);

/// The dimension of a layer's output that its bias follows: 1 of an image, the last for linear.
std::size_t channel_dimension(const ir::Graph& graph, const ir::Node& layer);

/// The layer's bias, zeros if it has none.
std::vector<float> bias_of(const ir::Graph& graph, const ir::Node& layer);

}  // namespace quantc::transform
