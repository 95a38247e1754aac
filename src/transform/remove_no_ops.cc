// Nodes that change neither values nor shape.
#include <limits>
#include <numeric>

#include "transform/passes.h"

namespace quantc::transform {
namespace {

std::size_t index(ir::ValueId id) { return static_cast<std::size_t>(id); }

template <typename Pool>
bool is_single_element(const Pool& pool) {
  return pool.kernel == ir::Size2d{1, 1} && pool.stride == ir::Size2d{1, 1} &&
         pool.padding == ir::Padding2d{};
}

bool is_no_op(const ir::Graph& graph, const ir::Node& node) {
  const bool same_type = graph.value(node.inputs.at(0)).type == graph.value(node.output).type;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return std::visit(
      ir::Overloaded{
          [&](const ir::Reshape&) { return same_type; },
          [&](const ir::Flatten&) { return same_type; },
          [&](const ir::AdaptiveAvgPool2d&) { return same_type; },
          [](const ir::MaxPool2d& pool) { return is_single_element(pool); },
          [](const ir::AvgPool2d& pool) { return is_single_element(pool); },
          [](const ir::Clip& clip) { return clip.min == -kInfinity && clip.max == kInfinity; },
          [&](const ir::Concat&) { return node.inputs.size() == 1; },
          [](const auto&) { return false; },
      },
      node.op);
}

}  // namespace

ir::Graph remove_no_ops(const ir::Graph& graph) {
  const std::vector<bool> is_output = ir::output_mask(graph);
  const auto producers = ir::producers(graph);
  std::vector<ir::ValueId> replacement(graph.values.size());
  std::iota(replacement.begin(), replacement.end(), 0);
  const auto resolved = [&](ir::ValueId id) {
    while (replacement[index(id)] != id) id = replacement[index(id)];
    return id;
  };
  // The result stands for the operand; where it is an output of the graph, the operand's producer
  // makes the output itself.
  const auto remove = [&](const ir::Node& node) {
    const ir::ValueId operand = resolved(node.inputs.at(0));
    if (!is_output[index(node.output)]) {
      replacement[index(node.output)] = operand;
      return true;
    }
    if (!producers[index(operand)] || is_output[index(operand)]) return false;
    replacement[index(operand)] = node.output;
    return true;
  };
  ir::Graph result = graph;
  std::erase_if(result.nodes,
                [&](const ir::Node& node) { return is_no_op(graph, node) && remove(node); });
  for (ir::Node& node : result.nodes) {
    for (ir::ValueId& input : node.inputs) input = resolved(input);
    node.output = resolved(node.output);
  }
  return ir::without_dead_nodes(result);
}

}  // namespace quantc::transform
