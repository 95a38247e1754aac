// The Add of a constant into the bias of the layer in front of it.
#include "transform/fold_into_layers.h"
#include "transform/passes.h"

namespace quantc::transform {
namespace {

// True for one element, or one for each channel of an output of shape `y`.
bool adds_to_channels(const ir::Tensor& addend, const ir::Shape& y, std::size_t channel_dim) {
  if (addend.elements() == 1) return true;
  const std::size_t behind = y.size() - channel_dim;  // counted from the last dimension
  const ir::Shape& shape = addend.shape();
  return addend.elements() == y[channel_dim] && shape.size() >= behind &&
         shape[shape.size() - behind] == y[channel_dim];
}

std::optional<FoldedConstants> fold(const ir::Graph& graph, const ir::Node& layer,
                                    const ir::Node& add) {
  if (!std::holds_alternative<ir::Add>(add.op)) return std::nullopt;
  const ir::ValueId other = add.inputs.at(add.inputs[0] == layer.output ? 1 : 0);
  const ir::TensorType& y = graph.value(layer.output).type;
  if (!graph.is_constant(other) || graph.value(add.output).type != y) return std::nullopt;
  const ir::Tensor& addend = *graph.value(other).constant;
  if (!adds_to_channels(addend, y.shape, channel_dimension(graph, layer))) return std::nullopt;
  std::vector<float> bias = bias_of(graph, layer);
  const auto values = addend.values<float>();
  for (std::size_t c = 0; c < bias.size(); ++c) bias[c] += values[values.size() == 1 ? 0 : c];
  return FoldedConstants{std::nullopt,
                         ir::Tensor::of({static_cast<std::int64_t>(bias.size())}, bias)};
}

}  // namespace

ir::Graph fold_bias_add(const ir::Graph& graph) { return fold_into_layers(graph, fold); }

}  // namespace quantc::transform
