#include "transform/fold_into_layers.h"

#include <algorithm>

namespace quantc::transform {
namespace {

std::size_t index(ir::ValueId id) { return static_cast<std::size_t>(id); }

bool is_layer(const ir::Node& node) {
  return std::holds_alternative<ir::Conv2d>(node.op) ||
         std::holds_alternative<ir::ConvTranspose2d>(node.op) ||
         std::holds_alternative<ir::Linear>(node.op);
}

// The layer in the place of its reader, with constants of its own: others may share the old ones.
ir::Node joined(ir::Graph& graph, const ir::Node& layer, const ir::Node& reader,
                FoldedConstants constants) {
  ir::ValueId weight = layer.inputs.at(1);
  if (constants.weight) {
    weight = graph.add_constant(layer.name + ".folded_weight", std::move(*constants.weight));
  }
  const ir::ValueId bias =
      graph.add_constant(layer.name + ".folded_bias", std::move(constants.bias));
  return {layer.name, layer.op, {layer.inputs.at(0), weight, bias}, reader.output};
}

class Walk {
 public:
  Walk(const ir::Graph& graph, const Fold& fold)
      : fold_(fold),
        users_(ir::users(graph)),
        is_output_(ir::output_mask(graph)),
        layer_of_(graph.values.size()),
        folded_(graph) {}

  ir::Graph run(const ir::Graph& graph) {
    folded_.nodes.clear();
    for (const ir::Node& node : graph.nodes) append(folded_or_same(node));
    return ir::without_dead_nodes(folded_);
  }

 private:
  ir::Node folded_or_same(const ir::Node& node) {
    for (const ir::ValueId input : node.inputs) {
      const std::optional<ir::NodeId> layer = layer_of_[index(input)];
      if (!layer) continue;
      auto constants = fold_(folded_, folded_.node(*layer), node);
      if (constants) return joined(folded_, folded_.node(*layer), node, std::move(*constants));
    }
    return node;
  }

  void append(ir::Node node) {
    const std::size_t output = index(node.output);
    const bool read_once = users_[output].size() == 1 && !is_output_[output];
    if (read_once && is_layer(node) && has_constant_parameters(folded_, node)) {
      layer_of_[output] = static_cast<ir::NodeId>(folded_.nodes.size());
    }
    folded_.nodes.push_back(std::move(node));
  }

  const Fold& fold_;
  std::vector<std::vector<ir::NodeId>> users_;
  std::vector<bool> is_output_;
  std::vector<std::optional<ir::NodeId>> layer_of_;  // of a value that only one node reads
  ir::Graph folded_;
};

}  // namespace

ir::Graph fold_into_layers(const ir::Graph& graph, const Fold& fold) {
  return Walk(graph, fold).run(graph);
}

bool has_constant_parameters(const ir::Graph& graph, const ir::Node& node) {
  return std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                     [&](ir::ValueId id) { return graph.is_constant(id); });
}

std::size_t channel_dimension(const ir::Graph& graph, const ir::Node& layer) {
  if (!std::holds_alternative<ir::Linear>(layer.op)) return 1;
  return graph.value(layer.output).type.shape.size() - 1;
}

std::vector<float> bias_of(const ir::Graph& graph, const ir::Node& layer) {
  if (layer.inputs.size() > 2) {
    const auto bias = graph.value(layer.inputs[2]).constant->values<float>();
    return {bias.begin(), bias.end()};
  }
  const ir::Shape& shape = graph.value(layer.output).type.shape;
  return std::vector<float>(static_cast<std::size_t>(shape.at(channel_dimension(graph, layer))));
}

}  // namespace quantc::transform
