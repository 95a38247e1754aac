// Activations and arithmetic.
#include <array>
#include <limits>

#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

template <typename Op>
Operands unary(Call& call) {
  return {call.emit(Op{}, {call.tensor("self")})};
}

Operands gelu(Call& call) {
  const std::string& form = call.text("approximate");
  call.require(form == "none" || form == "tanh", "approximate of 'none' or 'tanh'");
  return {call.emit(ir::Gelu{form == "tanh"}, {call.tensor("self")})};
}

Operands clip(Call& call, double min, double max) {
  return {
      call.emit(ir::Clip{static_cast<float>(min), static_cast<float>(max)}, {call.tensor("self")})};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Operands hardtanh(Call& call) { return clip(call, call.number("min_val"), call.number("max_val")); }

Operands relu6(Call& call) { return clip(call, 0, 6); }

Operands clamp(Call& call) {
  return clip(call, call.optional_number("min").value_or(-kInfinity),
              call.optional_number("max").value_or(kInfinity));
}

Operands clamp_min(Call& call) { return clip(call, call.number("min"), kInfinity); }

// A tensor, or a number that every element meets.
Operand other(Call& call) {
  return call.is_tensor("other") ? call.tensor("other") : call.scalar(call.number("other"));
}

template <typename Op>
Operands binary(Call& call) {
  return {call.emit(Op{}, {call.tensor("self"), other(call)})};
}

// self + alpha * other, or with Sub self - alpha * other.
template <typename Op>
Operands with_alpha(Call& call) {
  const double alpha = call.number("alpha");
  if (alpha == 1) return binary<Op>(call);
  const Operand scaled = call.emit(ir::Mul{}, {other(call), call.scalar(alpha)}, ".scaled");
  return {call.emit(Op{}, {call.tensor("self"), scaled})};
}

constexpr std::string_view kClamp = "self min=None max=None";
constexpr std::string_view kHardtanh = "self min_val=-1 max_val=1";
constexpr std::string_view kAlpha = "self other alpha=1";

constexpr auto kOps = std::to_array<AtenOp>({
    {"aten.relu.default", "self", Result::kNew, unary<ir::Relu>},
    {"aten.relu_.default", "self", Result::kInPlace, unary<ir::Relu>},
    {"aten.sigmoid.default", "self", Result::kNew, unary<ir::Sigmoid>},
    {"aten.sigmoid_.default", "self", Result::kInPlace, unary<ir::Sigmoid>},
    {"aten.hardsigmoid.default", "self", Result::kNew, unary<ir::HardSigmoid>},
    {"aten.hardsigmoid_.default", "self", Result::kInPlace, unary<ir::HardSigmoid>},
    {"aten.hardswish.default", "self", Result::kNew, unary<ir::HardSwish>},
    {"aten.hardswish_.default", "self", Result::kInPlace, unary<ir::HardSwish>},
    {"aten.silu.default", "self", Result::kNew, unary<ir::Silu>},
    {"aten.silu_.default", "self", Result::kInPlace, unary<ir::Silu>},
    {"aten.tanh.default", "self", Result::kNew, unary<ir::Tanh>},
    {"aten.tanh_.default", "self", Result::kInPlace, unary<ir::Tanh>},
    {"aten.exp.default", "self", Result::kNew, unary<ir::Exp>},
    {"aten.sqrt.default", "self", Result::kNew, unary<ir::Sqrt>},
    {"aten.gelu.default", "self approximate='none'", Result::kNew, gelu},
    {"aten.relu6.default", "self", Result::kNew, relu6},
    {"aten.relu6_.default", "self", Result::kInPlace, relu6},
    {"aten.hardtanh.default", kHardtanh, Result::kNew, hardtanh},
    {"aten.hardtanh_.default", kHardtanh, Result::kInPlace, hardtanh},
    {"aten.clamp.default", kClamp, Result::kNew, clamp},
    {"aten.clamp_.default", kClamp, Result::kInPlace, clamp},
    {"aten.clamp_min.default", "self min", Result::kNew, clamp_min},
    {"aten.add.Tensor", kAlpha, Result::kNew, with_alpha<ir::Add>},
    {"aten.add.Scalar", kAlpha, Result::kNew, with_alpha<ir::Add>},
    {"aten.sub.Scalar", kAlpha, Result::kNew, with_alpha<ir::Sub>},
    {"aten.mul.Scalar", "self other", Result::kNew, binary<ir::Mul>},
    {"aten.div.Scalar", "self other", Result::kNew, binary<ir::Div>},
    {"aten.add_.Tensor", kAlpha, Result::kInPlace, with_alpha<ir::Add>},
    {"aten.sub.Tensor", kAlpha, Result::kNew, with_alpha<ir::Sub>},
    {"aten.sub_.Tensor", kAlpha, Result::kInPlace, with_alpha<ir::Sub>},
    {"aten.mul.Tensor", "self other", Result::kNew, binary<ir::Mul>},
    {"aten.mul_.Tensor", "self other", Result::kInPlace, binary<ir::Mul>},
    {"aten.div.Tensor", "self other", Result::kNew, binary<ir::Div>},
    {"aten.div_.Tensor", "self other", Result::kInPlace, binary<ir::Div>},
});

}  // namespace

std::span<const AtenOp> elementwise_ops() { return kOps; }

}  // namespace quantc::frontend
