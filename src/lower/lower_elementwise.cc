// Quantization at the graph's borders, tables, addition, concatenation, and ops that move nothing.
#include "base/error.h"
#include "ir/quant_math.h"
#include "lower/rules.h"
#include "reference/executor.h"

namespace quantc::lower {
namespace {

std::vector<std::int8_t> every_code() {
  std::vector<std::int8_t> codes(256);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
  }
  return codes;
}

// y = quantize(activations(dequantize(x))), as a table that the reference computes.
void add_table_call(LoweringContext& lowering, const FusedOp& fused, const QuantizedValue& x,
                    const TensorRef& y) {
  ir::Tensor table =
      reference::evaluate(ir::Dequantize{x.params}, {ir::Tensor::of({256}, every_code())});
  for (const ir::NodeId activation : fused.activations) {
    table = reference::evaluate(lowering.graph.node(activation).op, {table});
  }
  table = reference::evaluate(ir::Quantize{fused.out_params.value()}, {table});
  ProgramBuilder& program = lowering.program;
  program.add_call({.layer = fused.layer,
                    .kernel = LutI8{},
                    .inputs = {program.tensor(x.id)},
                    .constants = {program.add_constant(fused.layer + ".table", table)},
                    .output = y});
}

// The operand as if it had the sizes of the result: strides of 0 repeat it.
TensorRef broadcast(TensorRef operand, const Layout& to) {
  const auto stretch = [](std::int32_t& size, std::int32_t& stride, std::int32_t target) {
    if (size == 1 && target != 1) stride = 0;
    size = target;
  };
  stretch(operand.layout.n, operand.layout.n_stride, to.n);
  stretch(operand.layout.c, operand.layout.c_stride, to.c);
  stretch(operand.layout.h, operand.layout.h_stride, to.h);
  stretch(operand.layout.w, operand.layout.w_stride, to.w);
  return operand;
}

TensorRef operand(LoweringContext& lowering, const FusedOp& fused, const QuantizedValue& x,
                  const Layout& to) {
  if (!lowering.graph.is_constant(x.id)) return broadcast(lowering.program.tensor(x.id), to);
  const std::size_t rank = lowering.graph.value(fused.output).type.shape.size();
  return broadcast(lowering.program.constant_operand(x.id, rank), to);
}

// A flattened image stays where it is; linear layers read it as the image it was.
void alias(LoweringContext& lowering, const FusedOp& fused) {
  require_shared_codes(fused);
  lowering.program.alias(fused.output, fused.inputs.at(0).id);
}

}  // namespace

void lower_input(LoweringContext& lowering, const FusedOp& fused) {
  ProgramBuilder& program = lowering.program;
  if (!fused.out_params || !program.has_input(*fused.float_in)) {
    throw UnsupportedError("a float value that nothing computes in integers leaves the graph");
  }
  program.add_call(
      {.layer = fused.layer,
       .kernel = QuantizeF32{ir::inverse_scale(fused.out_params->scale.at(0)), requant_of(fused)},
       .inputs = {program.input(*fused.float_in)},
       .output = program.place(fused.output, Order::kAny)});
}

void lower_unary(LoweringContext& lowering, const FusedOp& fused) {
  ProgramBuilder& program = lowering.program;
  const QuantizedValue& x = fused.inputs.at(0);
  if (fused.out_params) {
    add_table_call(lowering, fused, x, program.place(fused.output, Order::kAny));
    return;
  }
  require_no_activation(fused);
  program.add_call({.layer = fused.layer,
                    .kernel = DequantizeI8{x.params.scale.at(0), x.params.zero_point.at(0)},
                    .inputs = {program.tensor(x.id)},
                    .output = program.output(fused.output)});
}

void lower_core(LoweringContext& lowering, const ir::Add& /*add*/, const FusedOp& fused) {
  require_int8_output(fused);
  ProgramBuilder& program = lowering.program;
  const QuantizedValue& a = fused.inputs.at(0);
  const QuantizedValue& b = fused.inputs.at(1);
  const TensorRef y = program.place(fused.output, Order::kAny);
  program.add_call(
      {.layer = fused.layer,
       .kernel = AddI8{.a_scale = a.params.scale.at(0),
                       .b_scale = b.params.scale.at(0),
                       .inv_scale = ir::inverse_scale(fused.out_params->scale.at(0)),
                       .a_zero_point = a.params.zero_point.at(0),
                       .b_zero_point = b.params.zero_point.at(0),
                       .out = requant_of(fused)},
       .inputs = {operand(lowering, fused, a, y.layout), operand(lowering, fused, b, y.layout)},
       .output = y});
}

void lower_core(LoweringContext& lowering, const ir::Concat& /*concat*/, const FusedOp& fused) {
  require_int8_output(fused);
  ProgramBuilder& program = lowering.program;
  const TensorRef whole = program.place(fused.output, Order::kAny);
  std::int64_t channel = 0;
  for (const QuantizedValue& input : fused.inputs) {
    TensorRef part = program.narrowed(whole, input.id, channel);
    const TensorRef& tensor = program.tensor(input.id);
    const bool in_place = tensor.buffer == part.buffer && tensor.offset == part.offset;
    if (!in_place) {
      part.value = whole.value;
      part.value_channel = to_i32(channel);
      add_table_call(lowering, fused, input, part);
    }
    channel += part.layout.c;
  }
}

void lower_core(LoweringContext& lowering, const ir::Flatten& /*flatten*/, const FusedOp& fused) {
  alias(lowering, fused);
}

void lower_core(LoweringContext& lowering, const ir::Reshape& /*reshape*/, const FusedOp& fused) {
  alias(lowering, fused);
}

}  // namespace quantc::lower
