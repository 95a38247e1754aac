#include "lower/fusion.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "target/capability.h"

namespace quantc::lower {
namespace {

template <typename Op>
const Op* op_as(const ir::Node& node) {
  return std::get_if<Op>(&node.op);
}

bool is_shape_only(const ir::Node& node) {
  return op_as<ir::Flatten>(node) != nullptr || op_as<ir::Reshape>(node) != nullptr;
}

bool takes_constants(const ir::Node& node) { return op_as<ir::Add>(node) != nullptr; }

bool has_weights(const ir::Node& node) {
  return op_as<ir::Conv2d>(node) != nullptr || op_as<ir::Linear>(node) != nullptr;
}

class Fuser {
 public:
  explicit Fuser(const ir::Graph& graph)
      : graph_(graph),
        producer_(ir::producers(graph)),
        users_(ir::users(graph)),
        is_output_(ir::output_mask(graph)),
        covered_(graph.nodes.size()) {}

  std::vector<FusedOp> run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const ir::Node& node = graph_.nodes[i];
      const auto* quantize = op_as<ir::Quantize>(node);
      if (quantize == nullptr) continue;
      covered_[i] = true;
      add(match(node.inputs.at(0)), node.output, quantize->params);
    }
    for (const ir::ValueId output : graph_.outputs) {
      if (graph_.value(output).type.dtype == ir::DType::kFloat32) {
        add(match(output), output, std::nullopt);
      }
    }
    require_all_covered();
    return std::move(fused_);
  }

 private:
  const ir::Node* producer_of(ir::ValueId id) const {
    const auto node = producer_.at(static_cast<std::size_t>(id));
    return node ? &graph_.node(*node) : nullptr;
  }

  ir::NodeId cover_producer(ir::ValueId id) {
    const ir::NodeId node = producer_.at(static_cast<std::size_t>(id)).value();
    covered_[static_cast<std::size_t>(node)] = true;
    return node;
  }

  void add(FusedOp fused, ir::ValueId output, std::optional<ir::QuantParams> params) {
    fused.output = output;
    fused.out_params = std::move(params);
    if (fused.layer.empty()) fused.layer = graph_.value(output).name;
    fused_.push_back(std::move(fused));
  }

  // From the real value that is quantized (or leaves the graph) back to the integer operands.
  FusedOp match(ir::ValueId real) {
    FusedOp fused;
    ir::ValueId value = strip_activations(real, fused);
    const ir::Node* core = producer_of(value);
    if (core == nullptr) {
      fused.float_in = value;
    } else if (op_as<ir::Dequantize>(*core) != nullptr) {
      require_computed(*core, "nothing but a copy");
      fused.inputs.push_back(dequantized(value, *core));
    } else {
      match_core(value, *core, fused);
    }
    return fused;
  }

  ir::ValueId strip_activations(ir::ValueId value, FusedOp& fused) {
    for (const ir::ValueId last = value;;) {
      const ir::Node* node = producer_of(value);
      if (node == nullptr) return value;
      const bool reshapes_output =
          is_output_[static_cast<std::size_t>(last)] && is_shape_only(*node);
      if (!is_function(*node) && !reshapes_output) return value;
      if (value != last) require_single_reader(value, *node);
      const ir::NodeId id = cover_producer(value);
      if (!reshapes_output) add_activation(id, *node, fused);
      value = node->inputs.at(0);
    }
  }

  static bool is_function(const ir::Node& node) {
    const target::IntegerRole role = target::integer_role(node.op);
    return role == target::IntegerRole::kActivation || role == target::IntegerRole::kTable;
  }

  static void add_activation(ir::NodeId id, const ir::Node& node, FusedOp& fused) {
    fused.activations.insert(fused.activations.begin(), id);
    if (fused.layer.empty()) fused.layer = node.name;
    if (const auto* clip = op_as<ir::Clip>(node)) {
      compose_clip(clip->min, clip->max, fused);
    } else if (op_as<ir::Relu>(node) != nullptr) {
      compose_clip(0.0F, kInfinity, fused);
    } else {
      fused.clips_only = false;
    }
  }

  // The clip [lo, hi] runs before what has been collected so far.
  static void compose_clip(float lo, float hi, FusedOp& fused) {
    const float outer_lo = fused.clip_lo;
    const float outer_hi = fused.clip_hi;
    fused.clip_lo = std::clamp(lo, outer_lo, outer_hi);
    fused.clip_hi = std::clamp(hi, outer_lo, outer_hi);
  }

  void match_core(ir::ValueId value, const ir::Node& core, FusedOp& fused) {
    if (!users_[static_cast<std::size_t>(value)].empty()) require_single_reader(value, core);
    if (!fused.clips_only) refuse(graph_.node(fused.activations.front()));
    fused.layer = core.name;
    fused.core = cover_producer(value);
    const std::size_t operands = has_weights(core) ? 1 : core.inputs.size();
    for (std::size_t i = 0; i < operands; ++i) {
      const ir::Node* operand = producer_of(core.inputs[i]);
      if (operand == nullptr || op_as<ir::Dequantize>(*operand) == nullptr) refuse(core);
      if (!takes_constants(core)) require_computed(*operand, ir::name_of(core.op));
      fused.inputs.push_back(dequantized(core.inputs[i], *operand));
    }
    for (std::size_t i = operands; i < core.inputs.size(); ++i) {
      if (producer_of(core.inputs[i]) != nullptr) cover_producer(core.inputs[i]);
    }
  }

  QuantizedValue dequantized(ir::ValueId value, const ir::Node& node) {
    cover_producer(value);
    const ir::QuantParams& params = std::get<ir::Dequantize>(node.op).params;
    if (params.axis || params.dtype != ir::DType::kInt8) {
      throw UnsupportedError(
          fmt::format("{}: expected an int8 activation with one scale, found {} {}", node.name,
                      name_of(params.dtype), params.axis ? "with one scale per channel" : ""));
    }
    return {node.inputs.at(0), params};
  }

  void require_computed(const ir::Node& dequantize, std::string_view reader) const {
    const ir::ValueId codes = dequantize.inputs.at(0);
    if (!graph_.is_constant(codes)) return;
    throw UnsupportedError(fmt::format(
        "{}: expected an operand that is computed, found the quantized constant {}; no integer "
        "kernel of {} takes one",
        dequantize.name, graph_.value(codes).name, reader));
  }

  void require_single_reader(ir::ValueId value, const ir::Node& node) const {
    const auto at = static_cast<std::size_t>(value);
    if (users_[at].size() == 1 && !is_output_[at]) return;
    throw UnsupportedError(
        fmt::format("{}: the float result of {} is read {} times without a quantize; its preset "
                    "should quantize it",
                    node.name, name_of(node.op), users_[at].size()));
  }

  [[noreturn]] static void refuse(const ir::Node& node) {
    throw UnsupportedError(fmt::format(
        "{}: {} has no integer kernel for its operands; extend the capability table in src/target "
        "and the fusion rules in src/lower, or choose a preset that quantizes its inputs",
        node.name, name_of(node.op)));
  }

  void require_all_covered() const {
    for (std::size_t i = 0; i < covered_.size(); ++i) {
      if (!covered_[i]) refuse(graph_.nodes[i]);
    }
  }

  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  const ir::Graph& graph_;
  std::vector<std::optional<ir::NodeId>> producer_;
  std::vector<std::vector<ir::NodeId>> users_;
  std::vector<bool> is_output_;
  std::vector<bool> covered_;
  std::vector<FusedOp> fused_;
};

}  // namespace

std::vector<FusedOp> fuse(const ir::Graph& qdq) { return Fuser(qdq).run(); }

}  // namespace quantc::lower
