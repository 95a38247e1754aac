// Parsing of graphs, a line at a time.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/error.h"
#include "base/text_cursor.h"
#include "ir/attribute_text.h"
#include "ir/constant_text.h"
#include "ir/op_text.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace quantc::ir {
namespace {

class LineParser : public TextCursor {
 public:
  using TextCursor::TextCursor;

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
      parse_value(until(",]"), parsed.shape.emplace_back());
      accept(",");
    }
    return parsed;
  }
};

class GraphParser {
 public:
  Graph parse(std::string_view text) {
    int line_number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      with_context(fmt::format("graph text, line {}", ++line_number),
                   [&] { parse_line(text.substr(0, end)); });
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    verify(graph_);
    return std::move(graph_);
  }

 private:
  void parse_line(std::string_view text) {
    LineParser line(text);
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
      line.expect("=");
      line.expect("{");
      remember(name, graph_.add_constant(name, parse_constant(type, line.until("}"))));
      line.expect("}");
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
};

}  // namespace

Graph parse_graph(std::string_view text) { return GraphParser().parse(text); }

}  // namespace quantc::ir
