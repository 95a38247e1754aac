#include "ir/text.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "ir/op_text.h"
#include "ir/verify.h"

namespace quantc::ir {
namespace {

constexpr std::string_view kElided = "...";

template <typename T>
std::string joined(std::span<const T> values) {
  std::string text;
  for (const T value : values) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}", +value);
  }
  return text;
}

std::string constant_text(const Tensor& tensor, const TextOptions& options) {
  if (tensor.elements() > options.max_constant_elements) return std::string(kElided);
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return joined(tensor.values<float>());
    case DType::kInt8:
      return joined(tensor.values<std::int8_t>());
    case DType::kInt32:
      return joined(tensor.values<std::int32_t>());
    default:
      return std::string(kElided);
  }
}

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

// Reads one line from left to right.
class LineParser {
 public:
  LineParser(std::string_view line, std::size_t number) : rest_(line), number_(number) {}

  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError(
        fmt::format("graph text, line {}: expected {}, found '{}'", number_, expected, rest_));
  }

  bool accept(std::string_view token) {
    skip_spaces();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("'{}'", token));
  }

  /// Everything up to one of `stops`, without surrounding spaces.
  std::string until(std::string_view stops) {
    skip_spaces();
    const std::size_t end = std::min(rest_.find_first_of(stops), rest_.size());
    std::string token(rest_.substr(0, end));
    rest_.remove_prefix(end);
    while (!token.empty() && token.back() == ' ') token.pop_back();
    if (token.empty()) fail("a name");
    return token;
  }

  /// "[...]" with its brackets, or a word.
  std::string attribute_value() {
    skip_spaces();
    if (!rest_.starts_with('[')) return until(",)");
    const std::size_t close = rest_.find(']');
    if (close == std::string_view::npos) fail("']'");
    std::string token(rest_.substr(0, close + 1));
    rest_.remove_prefix(close + 1);
    return token;
  }

  TensorType type() {
    const std::string name = until("[");
    const std::optional<DType> dtype = dtype_named(name);
    if (!dtype) fail("an element type instead of '" + name + "'");
    TensorType parsed{*dtype, {}};
    expect("[");
    while (!accept("]")) {
      parsed.shape.push_back(parse_attribute<std::int64_t>(until(",]")));
      accept(",");
    }
    return parsed;
  }

  std::string remainder() {
    skip_spaces();
    return std::string(rest_);
  }

  bool at_end() {
    skip_spaces();
    return rest_.empty();
  }

 private:
  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::size_t number_;
};

template <typename T>
Tensor parse_values(const TensorType& type, LineParser& line) {
  std::vector<T> values;
  const auto count = static_cast<std::size_t>(type.elements());
  if (line.accept(kElided)) {
    values.resize(count);
  } else {
    while (values.size() < count) {
      values.push_back(static_cast<T>(parse_attribute<double>(line.until(",}"))));
      if (values.size() < count) line.expect(",");
    }
  }
  line.expect("}");
  return Tensor::of(type.shape, values);
}

Tensor parse_constant(const TensorType& type, LineParser& line) {
  line.expect("=");
  line.expect("{");
  switch (type.dtype) {
    case DType::kFloat32:
      return parse_values<float>(type, line);
    case DType::kInt8:
      return parse_values<std::int8_t>(type, line);
    case DType::kInt32:
      return parse_values<std::int32_t>(type, line);
    default:
      line.fail("a constant of f32, i8 or i32");
  }
}

class GraphParser {
 public:
  Graph parse(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_number_;
      parse_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    verify(graph_);
    return std::move(graph_);
  }

 private:
  void parse_line(std::string_view text) {
    LineParser line(text, line_number_);
    if (line.at_end() || line.accept("//")) return;
    if (line.accept("graph @")) {
      graph_.name = line.remainder();
    } else if (line.accept("input %")) {
      const std::string name = line.until(":");
      line.expect(":");
      remember(name, graph_.add_input(name, line.type()));
    } else if (line.accept("const %")) {
      const std::string name = line.until(":");
      line.expect(":");
      const TensorType type = line.type();
      remember(name, graph_.add_constant(name, parse_constant(type, line)));
    } else if (line.accept("output %")) {
      graph_.outputs.push_back(find(line.remainder(), line));
    } else {
      parse_node(line);
    }
  }

  void parse_node(LineParser& line) {
    line.expect("%");
    const std::string name = line.until(":");
    line.expect(":");
    const TensorType declared = line.type();
    line.expect("=");
    const std::string op_name = line.until("(");
    line.expect("(");
    std::vector<ValueId> inputs;
    Attributes attributes;
    while (!line.accept(")")) {
      if (line.accept("%")) {
        inputs.push_back(find(line.until(",)"), line));
      } else {
        const std::string key = line.until("=");
        line.expect("=");
        attributes[key] = line.attribute_value();
      }
      line.accept(",");
    }
    const ValueId id = add_node(line, name, parse_op(op_name, attributes), inputs);
    if (line.accept("#")) graph_.nodes.back().name = line.remainder();
    if (graph_.value(id).type != declared) {
      line.fail(fmt::format("%{} declared as {}", name, to_string(graph_.value(id).type)));
    }
  }

  ValueId add_node(const LineParser& line, const std::string& name, Op op,
                   std::vector<ValueId> inputs) {
    if (by_name_.contains(name)) line.fail("a name that is not taken, instead of " + name);
    const ValueId id = graph_.add_node(name, std::move(op), std::move(inputs));
    by_name_[name] = id;
    return id;
  }

  void remember(const std::string& name, ValueId id) { by_name_[name] = id; }

  ValueId find(const std::string& name, const LineParser& line) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) line.fail("a value defined above instead of %" + name);
    return found->second;
  }

  Graph graph_;
  std::map<std::string, ValueId> by_name_;
  std::size_t line_number_ = 0;
};

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
                        constant_text(*value.constant, options));
  }
  for (const Node& node : graph.nodes) text += node_text(graph, node);
  for (const ValueId output : graph.outputs) {
    text += fmt::format("output %{}\n", graph.value(output).name);
  }
  return text;
}

Graph parse_graph(std::string_view text) { return GraphParser().parse(text); }

}  // namespace quantc::ir
