#include "lower/lower.h"

#include <fmt/format.h>

#include "base/error.h"
#include "ir/quant_math.h"
#include "lower/rules.h"

namespace quantc::lower {
namespace {

template <typename Op>
void lower_core(LoweringContext& /*lowering*/, const Op& op, const FusedOp& /*fused*/) {
  throw UnsupportedError(fmt::format("{} has no integer kernel; extend the capability table",
                                     ir::name_of(ir::Op(op))));
}

void lower_op(LoweringContext& lowering, const FusedOp& fused,
              const std::optional<ConvPlan>& conv) {
  if (fused.float_in) return lower_input(lowering, fused);
  if (!fused.core) return lower_unary(lowering, fused);
  if (conv) return (conv->mma ? lower_mma : lower_conv)(lowering, fused, *conv);
  std::visit([&](const auto& op) { lower_core(lowering, op, fused); },
             lowering.graph.node(*fused.core).op);
}

const FusedOp& float_producer(const std::vector<FusedOp>& fused, ir::ValueId output) {
  for (const FusedOp& op : fused) {
    if (op.output == output && !op.out_params) return op;
  }
  throw UnsupportedError("expected every output of the graph to be a float32 result of its own");
}

}  // namespace

Requant requant_of(const FusedOp& fused) {
  const ir::QuantParams& y = fused.out_params.value();
  return {y.zero_point.at(0), ir::quantize_value(fused.clip_lo, y),
          ir::quantize_value(fused.clip_hi, y)};
}

void require_int8_output(const FusedOp& fused) {
  if (!fused.out_params) throw UnsupportedError("expected an int8 output, found float32");
}

void require_no_activation(const FusedOp& fused) {
  if (fused.activations.empty()) return;
  throw UnsupportedError("expected no activation between this layer and its output");
}

void require_shared_codes(const FusedOp& fused) {
  require_int8_output(fused);
  require_no_activation(fused);
  if (fused.inputs.at(0).params == *fused.out_params) return;
  throw UnsupportedError("expected the quantization parameters of its input, found others");
}

Program lower(const ir::Graph& qdq, const target::Target& target) {
  const std::vector<FusedOp> fused = fuse(qdq);
  const LayoutPlan plan = plan_layouts(qdq, fused, target);
  ProgramBuilder program(qdq, plan);
  for (const ir::ValueId input : qdq.inputs) program.add_input(input);
  for (const ir::ValueId output : qdq.outputs) {
    const FusedOp& op = float_producer(fused, output);
    program.add_output(output, plan.sizes.at(op.core ? output : op.inputs.at(0).id));
  }
  LoweringContext lowering{qdq, target, program};
  for (std::size_t i = 0; i < fused.size(); ++i) {
    with_context(fused[i].layer, [&] { lower_op(lowering, fused[i], plan.convs[i]); });
  }
  return program.take();
}

}  // namespace quantc::lower
