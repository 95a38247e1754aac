// BatchNorm into the layer in front of it.
#include <cmath>
#include <string>

#include "base/error.h"
#include "transform/fold_into_layers.h"
#include "transform/passes.h"

namespace quantc::transform {
namespace {

/// Parameters of a BatchNorm node; rsqrt = 1 / sqrt(running_var + eps).
struct Norm {
  std::span<const float> gamma;
  std::span<const float> beta;
  std::span<const float> mean;
  std::vector<float> rsqrt;
};

std::vector<float> rsqrt_of(const ir::Node& node, std::span<const float> var) {
  const auto eps = static_cast<float>(std::get<ir::BatchNorm>(node.op).eps);
  std::vector<float> rsqrt;
  for (std::size_t c = 0; c < var.size(); ++c) {
    const float sum = var[c] + eps;
    if (!std::isfinite(sum) || sum <= 0) {
      throw InputError(node.name + ": batch_norm: expected running_var + eps above 0, found " +
                       std::to_string(sum) + " in channel " + std::to_string(c) +
                       "; check the weights");
    }
    rsqrt.push_back(1.0F / std::sqrt(sum));
  }
  return rsqrt;
}

Norm norm_of(const ir::Graph& graph, const ir::Node& node) {
  const auto parameter = [&](std::size_t i) {
    return graph.value(node.inputs.at(i)).constant->values<float>();
  };
  return {parameter(1), parameter(2), parameter(3), rsqrt_of(node, parameter(4))};
}

// A weight is rows of columns of taps. The output channel is the row; of a transposed convolution,
// whose weight is [C_in,C_out/groups,kh,kw], it is the column within the group of the row.
ir::Tensor scaled_weight(const ir::Node& layer, const ir::Tensor& weight, const Norm& norm) {
  const auto rows = static_cast<std::size_t>(weight.shape()[0]);
  const auto columns = static_cast<std::size_t>(weight.shape()[1]);
  const std::size_t taps = weight.values<float>().size() / (rows * columns);
  const auto* transposed = std::get_if<ir::ConvTranspose2d>(&layer.op);
  const std::size_t rows_per_group =
      transposed == nullptr ? 1 : rows / static_cast<std::size_t>(transposed->groups);
  std::vector<float> scaled(weight.values<float>().begin(), weight.values<float>().end());
  auto w = scaled.begin();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t c = transposed == nullptr ? row : row / rows_per_group * columns + column;
      const float gain = norm.gamma[c] * norm.rsqrt[c];
      for (std::size_t tap = 0; tap < taps; ++tap) *w++ *= gain;
    }
  }
  return ir::Tensor::of(weight.shape(), scaled);
}

ir::Tensor folded_bias(std::vector<float> bias, const Norm& norm) {
  for (std::size_t c = 0; c < bias.size(); ++c) {
    bias[c] = (bias[c] - norm.mean[c]) * norm.rsqrt[c] * norm.gamma[c] + norm.beta[c];
  }
  return ir::Tensor::of({static_cast<std::int64_t>(bias.size())}, bias);
}

std::optional<FoldedConstants> fold(const ir::Graph& graph, const ir::Node& layer,
                                    const ir::Node& reader) {
  if (!std::holds_alternative<ir::BatchNorm>(reader.op)) return std::nullopt;
  // BatchNorm follows dimension 1, the bias of a linear layer the last one.
  if (channel_dimension(graph, layer) != 1 || !has_constant_parameters(graph, reader)) {
    return std::nullopt;
  }
  const Norm norm = norm_of(graph, reader);
  const ir::Tensor& weight = *graph.value(layer.inputs.at(1)).constant;
  return FoldedConstants{scaled_weight(layer, weight, norm),
                         folded_bias(bias_of(graph, layer), norm)};
}

}  // namespace

ir::Graph fold_batch_norm(const ir::Graph& graph) { return fold_into_layers(graph, fold); }

}  // namespace quantc::transform
