#include "lower/layout_plan.h"

#include <fmt/format.h>

#include "base/error.h"

namespace quantc::lower {
namespace {

const ir::Op* core_of(const ir::Graph& graph, const FusedOp& fused) {
  return fused.core ? &graph.node(*fused.core).op : nullptr;
}

bool is_conv(const ir::Op* op) {
  return op != nullptr &&
         (std::holds_alternative<ir::Conv2d>(*op) || std::holds_alternative<ir::Linear>(*op));
}

bool is_flatten(const ir::Op* op) {
  return op != nullptr &&
         (std::holds_alternative<ir::Flatten>(*op) || std::holds_alternative<ir::Reshape>(*op));
}

class Planner {
 public:
  Planner(const ir::Graph& graph, const std::vector<FusedOp>& fused, const target::Target& target)
      : graph_(graph), fused_(fused), target_(target) {}

  LayoutPlan run() {
    for (std::size_t i = 0; i < fused_.size(); ++i) {
      plan_sizes(fused_[i]);
      plan_.convs.push_back(plan_conv(fused_[i]));
      for (const QuantizedValue& input : fused_[i].inputs) readers_[input.id].push_back(i);
    }
    for (const FusedOp& fused : fused_) {
      if (const ir::Op* core = core_of(graph_, fused);
          core != nullptr && std::holds_alternative<ir::Concat>(*core)) {
        plan_slices(fused);
      }
    }
    for (const auto& [value, sizes] : plan_.sizes) {
      const Order order = wanted(value);
      plan_.wanted[value] = order != Order::kAny ? order : fallback();
    }
    return std::move(plan_);
  }

 private:
  Order fallback() const { return target_.mmalib ? Order::kPlanar : Order::kChannelsLast; }

  void plan_sizes(const FusedOp& fused) {
    const ir::Op* core = core_of(graph_, fused);
    if (is_flatten(core)) {
      require_whole_image_flatten(fused);
      plan_.sizes[fused.output] = plan_.sizes.at(fused.inputs.at(0).id);
      return;
    }
    plan_.sizes[fused.output] = image_sizes(fused);
  }

  void require_whole_image_flatten(const FusedOp& fused) const {
    const ir::Shape& shape = graph_.value(fused.output).type.shape;
    const ir::Shape& from = graph_.value(fused.inputs.at(0).id).type.shape;
    if (shape.size() == 2 && shape.at(0) == from.at(0)) return;
    throw UnsupportedError(fmt::format("{}: expected a flatten of [N,C,H,W] to [N,C*H*W], found {}",
                                       fused.layer, ir::to_string(shape)));
  }

  ir::Shape image_sizes(const FusedOp& fused) const {
    // A float output may have been flattened on its way out; its kernel makes the core's shape.
    const ir::ValueId made = fused.core ? graph_.node(*fused.core).output : fused.output;
    const ir::Shape& shape = graph_.value(made).type.shape;
    if (shape.size() == 4) return shape;
    if (shape.size() == 2) return {shape[0], shape[1], 1, 1};
    throw UnsupportedError(fmt::format("{}: expected a tensor of rank 2 or 4, found {}",
                                       fused.layer, ir::to_string(shape)));
  }

  std::optional<ConvPlan> plan_conv(const FusedOp& fused) const {
    if (!is_conv(core_of(graph_, fused))) return std::nullopt;
    const ir::Shape& x_sizes = plan_.sizes.at(fused.inputs.at(0).id);
    ConvPlan conv{conv_operands(graph_, fused, x_sizes), std::nullopt, ""};
    if (!target_.mmalib) return conv;
    if (!fused.out_params) {
      conv.not_offloaded = "its output is float32";
      return conv;
    }
    if (!conv.operands.is_linear) {
      if (const auto refusal = target::mma_refusal(conv.operands.geometry)) {
        conv.not_offloaded = *refusal;
        return conv;
      }
    }
    MmaAttempt attempt = mma_operands(conv.operands, *fused.out_params, target_.mmalib_truncates);
    conv.mma = std::move(attempt.operands);
    conv.not_offloaded = std::move(attempt.refusal);
    return conv;
  }

  // What a reader asks for; a kernel that takes any order passes its own reader's wish on.
  Order asked_by(std::size_t reader, ir::ValueId value) {
    if (const auto& conv = plan_.convs[reader]) {
      if (conv->mma) return Order::kPlanar;
      const ir::Shape& sizes = plan_.sizes.at(value);
      return sizes[2] * sizes[3] == 1 ? Order::kAny : Order::kChannelsLast;
    }
    return wanted(fused_[reader].output);
  }

  Order wanted(ir::ValueId value) {
    if (const auto known = memo_.find(value); known != memo_.end()) return known->second;
    Order order = Order::kAny;
    for (const std::size_t reader : readers_[value]) {
      order = asked_by(reader, value);
      if (order != Order::kAny) break;
    }
    memo_[value] = order;
    return order;
  }

  void plan_slices(const FusedOp& concat) {
    const auto axis = std::get<ir::Concat>(graph_.node(*concat.core).op).axis;
    if (axis != 1) {
      throw UnsupportedError(
          fmt::format("{}: expected concat along channels (1), found axis {}", concat.layer, axis));
    }
    std::int64_t channel = 0;
    for (const QuantizedValue& input : concat.inputs) {
      const bool same_codes = concat.out_params && input.params == *concat.out_params;
      if (same_codes && concat.activations.empty() && readers_[input.id].size() == 1) {
        plan_.slices[input.id] = {concat.output, channel};
      }
      channel += plan_.sizes.at(input.id)[1];
    }
  }

  const ir::Graph& graph_;
  const std::vector<FusedOp>& fused_;
  const target::Target& target_;
  LayoutPlan plan_;
  std::map<ir::ValueId, std::vector<std::size_t>> readers_;
  std::map<ir::ValueId, Order> memo_;
};

}  // namespace

LayoutPlan plan_layouts(const ir::Graph& graph, const std::vector<FusedOp>& fused,
                        const target::Target& target) {
  return Planner(graph, fused, target).run();
}

}  // namespace quantc::lower
