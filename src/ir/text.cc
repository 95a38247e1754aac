// Printing of graphs; text_parser.cc parses them.
#include "ir/text.h"

#include <fmt/format.h>

#include "ir/constant_text.h"
#include "ir/op_text.h"

namespace quantc::ir {
namespace {

std::string node_text(const Graph& graph, const Node& node) {
  std::string arguments;
  for (const ValueId input : node.inputs) {
    if (!arguments.empty()) arguments += ", ";
    arguments += "%" + graph.value(input).name;
  }
  for (const auto& [key, text] : attribute_texts(node.op)) {
    arguments += fmt::format(", {}={}", key, text);
  }
  const Value& output = graph.value(node.output);
  return fmt::format("%{} : {} = {}({}) # {}\n", output.name, to_string(output.type),
                     name_of(node.op), arguments, node.name);
}

}  // namespace

std::string to_text(const Graph& graph, const TextOptions& options) {
  std::string text = fmt::format("graph @{}\n", graph.name);
  for (const ValueId input : graph.inputs) {
    const Value& value = graph.value(input);
    text += fmt::format("input %{} : {}\n", value.name, to_string(value.type));
  }
  for (const Value& value : graph.values) {
    if (!value.constant) continue;
    text += fmt::format("const %{} : {} = {{{}}}\n", value.name, to_string(value.type),
                        constant_text(*value.constant, options.max_constant_elements));
  }
  for (const Node& node : graph.nodes) text += node_text(graph, node);
  for (const ValueId output : graph.outputs) {
    text += fmt::format("output %{}\n", graph.value(output).name);
  }
  return text;
}

}  // namespace quantc::ir
