#include <cmath>
#include <map>

#include "transform/passes.h"

namespace quantc::transform {
namespace {

struct Affine {
  std::vector<float> gain;
  std::vector<float> offset;  ///< y = x * gain + offset
};

Affine affine_of(const ir::Graph& graph, const ir::Node& norm) {
  const auto parameter = [&](std::size_t i) {
    return graph.value(norm.inputs.at(i)).constant->values<float>();
  };
  const auto eps = static_cast<float>(std::get<ir::BatchNorm>(norm.op).eps);
  Affine affine;
  for (std::size_t c = 0; c < parameter(1).size(); ++c) {
    const float gain = parameter(1)[c] * (1.0F / std::sqrt(parameter(4)[c] + eps));
    affine.gain.push_back(gain);
    affine.offset.push_back(parameter(2)[c] - parameter(3)[c] * gain);
  }
  return affine;
}

// The output channel of each weight: rows for a convolution; for a transposed one, whose weight is
// [C_in, C_out/groups, kh, kw], the column within the group that the row belongs to.
std::size_t output_channel(const ir::Node& layer, const ir::Shape& shape, std::size_t flat) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(shape[i]); };
  std::size_t inner = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) inner *= at(i);
  const std::size_t row = flat / inner;
  const auto* transposed = std::get_if<ir::ConvTranspose2d>(&layer.op);
  if (transposed == nullptr) return row;
  const std::size_t rows_per_group = at(0) / static_cast<std::size_t>(transposed->groups);
  return row / rows_per_group * at(1) + flat % inner / (inner / at(1));
}

ir::Tensor scaled_weight(const ir::Node& layer, const ir::Tensor& weight, const Affine& affine) {
  std::vector<float> scaled(weight.values<float>().begin(), weight.values<float>().end());
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    scaled[i] *= affine.gain[output_channel(layer, weight.shape(), i)];
  }
  return ir::Tensor::of(weight.shape(), scaled);
}

ir::Tensor folded_bias(const ir::Graph& graph, const ir::Node& layer, const Affine& affine) {
  std::vector<float> bias = affine.offset;
  if (layer.inputs.size() > 2) {
    const auto own = graph.value(layer.inputs[2]).constant->values<float>();
    for (std::size_t c = 0; c < bias.size(); ++c) bias[c] += own[c] * affine.gain[c];
  }
  return ir::Tensor::of({static_cast<std::int64_t>(bias.size())}, bias);
}

bool has_channel_weights(const ir::Node& node) {
  return std::holds_alternative<ir::Conv2d>(node.op) ||
         std::holds_alternative<ir::ConvTranspose2d>(node.op) ||
         std::holds_alternative<ir::Linear>(node.op);
}

class Folder {
 public:
  explicit Folder(const ir::Graph& graph)
      : graph_(graph), users_(ir::users(graph)), is_output_(ir::output_mask(graph)) {}

  ir::Graph run() {
    find_pairs();
    ir::Graph folded = graph_;
    folded.nodes.clear();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto id = static_cast<ir::NodeId>(i);
      if (norm_of_.contains(id)) continue;  // comes with its norm
      const auto layer = layer_of_.find(id);
      folded.nodes.push_back(layer == layer_of_.end()
                                 ? graph_.nodes[i]
                                 : joined(folded, graph_.node(layer->second), graph_.nodes[i]));
    }
    return folded;
  }

 private:
  void find_pairs() {
    const auto producers = ir::producers(graph_);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const ir::Node& norm = graph_.nodes[i];
      if (!std::holds_alternative<ir::BatchNorm>(norm.op) || !constant_from(norm, 1)) continue;
      const ir::ValueId between = norm.inputs.at(0);
      const auto at = static_cast<std::size_t>(between);
      if (!producers[at] || users_[at].size() != 1 || is_output_[at]) continue;
      const ir::Node& layer = graph_.node(*producers[at]);
      const bool channels_last_linear = std::holds_alternative<ir::Linear>(layer.op) &&
                                        graph_.value(between).type.shape.size() != 2;
      if (!has_channel_weights(layer) || channels_last_linear || !constant_from(layer, 1)) continue;
      norm_of_[*producers[at]] = static_cast<ir::NodeId>(i);
      layer_of_[static_cast<ir::NodeId>(i)] = *producers[at];
    }
  }

  bool constant_from(const ir::Node& node, std::size_t first) const {
    for (std::size_t i = first; i < node.inputs.size(); ++i) {
      if (!graph_.is_constant(node.inputs[i])) return false;
    }
    return true;
  }

  ir::Node joined(ir::Graph& folded, const ir::Node& layer, const ir::Node& norm) const {
    const Affine affine = affine_of(graph_, norm);
    const ir::Tensor& weight = *graph_.value(layer.inputs.at(1)).constant;
    return {layer.name,
            layer.op,
            {layer.inputs.at(0),
             folded.add_constant(layer.name + ".folded_weight",
                                 scaled_weight(layer, weight, affine)),
             folded.add_constant(layer.name + ".folded_bias", folded_bias(graph_, layer, affine))},
            norm.output};
  }

  const ir::Graph& graph_;
  std::vector<std::vector<ir::NodeId>> users_;
  std::vector<bool> is_output_;
  std::map<ir::NodeId, ir::NodeId> norm_of_;
  std::map<ir::NodeId, ir::NodeId> layer_of_;
};

}  // namespace

ir::Graph fold_batch_norm(const ir::Graph& graph) { return Folder(graph).run(); }

}  // namespace quantc::transform
