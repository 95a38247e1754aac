#include "ir/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>

#include "base/error.h"
#include "ir/shapes.h"

namespace quantc::ir {
namespace {

struct CodeLimits {
  DType dtype;
  std::int32_t least;
  std::int32_t most;
};

template <typename Code>
constexpr CodeLimits limits_of() {
  return {dtype_of<Code>(), std::numeric_limits<Code>::min(), std::numeric_limits<Code>::max()};
}

// Of the element types that Quantize may write.
constexpr std::array<CodeLimits, 4> kCodeLimits = {
    limits_of<std::int8_t>(), limits_of<std::uint8_t>(), limits_of<std::int16_t>(),
    limits_of<std::int32_t>()};

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), defined_(graph.values.size()) {}

  void run() {
    check_values();
    for (const ValueId input : graph_.inputs) define(input, "graph input");
    for (const Node& node : graph_.nodes) check_node(node);
    if (graph_.outputs.empty()) fail("graph has no output");
    for (const ValueId output : graph_.outputs) require_defined(output, "graph output");
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InternalError("graph " + graph_.name + " is not valid: " + message);
  }

  void check_values() {
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      const Value& value = graph_.values[i];
      if (value.name.empty()) fail("value " + std::to_string(i) + " has no name");
      if (!names.insert(value.name).second) fail("two values are named " + value.name);
      if (!value.constant) continue;
      if (value.constant->type() != value.type)
        fail("constant " + value.name + " has another type");
      defined_[i] = true;
    }
  }

  void require_in_range(ValueId id, const std::string& user) const {
    if (id < 0 || static_cast<std::size_t>(id) >= graph_.values.size()) {
      fail(user + " names value " + std::to_string(id) + ", which does not exist");
    }
  }

  void require_defined(ValueId id, const std::string& user) const {
    require_in_range(id, user);
    if (!defined_[static_cast<std::size_t>(id)]) {
      fail(user + " reads " + graph_.value(id).name + " before it is defined");
    }
  }

  void define(ValueId id, const std::string& definer) {
    require_in_range(id, definer);
    if (defined_[static_cast<std::size_t>(id)]) {
      fail(definer + " defines " + graph_.value(id).name + " a second time");
    }
    defined_[static_cast<std::size_t>(id)] = true;
  }

  void check_node(const Node& node) {
    std::vector<TensorType> types;
    for (const ValueId input : node.inputs) {
      require_defined(input, node.name);
      types.push_back(graph_.value(input).type);
    }
    const TensorType inferred = infer_type(node.op, types);
    define(node.output, node.name);
    const Value& output = graph_.value(node.output);
    if (output.type != inferred) {
      fail(node.name + " makes " + to_string(inferred) + ", declared as " + to_string(output.type));
    }
    check_quant_params(node, output.type);
  }

  void check_quant_params(const Node& node, const TensorType& type) const {
    const QuantParams* params = nullptr;
    if (const auto* quantize = std::get_if<Quantize>(&node.op)) params = &quantize->params;
    if (const auto* dequantize = std::get_if<Dequantize>(&node.op)) params = &dequantize->params;
    if (params == nullptr) return;
    check_code_range(node, *params);
    const std::size_t expected = channel_count(node, *params, type);
    if (params->scale.size() != expected || params->zero_point.size() != expected) {
      fail(node.name + " needs " + std::to_string(expected) + " scales and zero points, found " +
           std::to_string(params->scale.size()) + " and " +
           std::to_string(params->zero_point.size()));
    }
    for (const float scale : params->scale) {
      if (!std::isfinite(scale) || scale <= 0) {
        fail(node.name + " has the scale " + std::to_string(scale));
      }
    }
    for (const std::int32_t zero_point : params->zero_point) {
      if (zero_point < params->qmin || zero_point > params->qmax) {
        fail(node.name + " has the zero point " + std::to_string(zero_point) + " outside of [" +
             std::to_string(params->qmin) + "," + std::to_string(params->qmax) + "]");
      }
    }
  }

  void check_code_range(const Node& node, const QuantParams& params) const {
    const auto* const limits =
        std::find_if(kCodeLimits.begin(), kCodeLimits.end(),
                     [&](const CodeLimits& row) { return row.dtype == params.dtype; });
    if (limits == kCodeLimits.end()) {
      fail(node.name + " has codes of " + std::string(name_of(params.dtype)));
    }
    if (params.qmin < limits->least || params.qmax > limits->most || params.qmin > params.qmax) {
      fail(node.name + " has the range [" + std::to_string(params.qmin) + "," +
           std::to_string(params.qmax) + "] of " + std::string(name_of(params.dtype)));
    }
  }

  std::size_t channel_count(const Node& node, const QuantParams& params,
                            const TensorType& type) const {
    if (!params.axis) return 1;
    if (*params.axis < 0 || *params.axis >= static_cast<std::int64_t>(type.shape.size())) {
      fail(node.name + " has an axis outside of " + to_string(type));
    }
    return static_cast<std::size_t>(type.shape[static_cast<std::size_t>(*params.axis)]);
  }

  const Graph& graph_;
  std::vector<bool> defined_;
};

}  // namespace

void verify(const Graph& graph) { Verifier(graph).run(); }

}  // namespace quantc::ir
