// Operators on tensors that are known at import, which may be written to: copies of constants, and
// the attention masks that networks build while they run.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

Operands new_filled(Call& call, double value) {
  ir::TensorType type{call.type(call.tensor("self")).dtype, call.integers("size")};
  if (!call.is_none("dtype")) type.dtype = call.dtype("dtype");
  return {{-1, filled_host(call.name(), std::move(type), value)}};
}

Operands new_zeros(Call& call) { return new_filled(call, 0); }

// A copy, so that writing to it changes no parameter. Other tensors never change: no copy.
Operands clone(Call& call) {
  const Operand x = call.tensor("self");
  if (x.host) return {{-1, host_copy(x.host->name, to_tensor(*x.host))}};
  if (const ir::Tensor* constant = call.constant_of(x)) {
    if (auto copy = host_copy(call.name(), *constant)) return {{-1, std::move(copy)}};
  }
  return {x};
}

// What a program writes to must have been made by this file's operators.
HostTensor written(const Call& call) {
  const Operand x = call.tensor("self");
  call.require(x.host.has_value(), "to write to a constant made by clone or new_zeros");
  return *x.host;
}

Operands fill(Call& call, double value) {
  HostTensor x = written(call);
  assign(x, std::vector<double>(static_cast<std::size_t>(x.type.elements()), value));
  return {{-1, std::move(x)}};
}

Operands zero(Call& call) { return fill(call, 0); }

Operands fill_scalar(Call& call) { return fill(call, call.number("value")); }

double only_value(const Call& call) {
  const std::vector<double> value = values_of(call.host("value"));
  call.require(value.size() == 1, "a value of one element");
  return value.front();
}

Operands fill_tensor(Call& call) { return fill(call, only_value(call)); }

Operands filled_like(Call& call, double value) {
  return {{-1, filled_host(call.name(), call.type(call.tensor("self")), value)}};
}

Operands zeros_like(Call& call) { return filled_like(call, 0); }

Operands filled_like_scalar(Call& call) { return filled_like(call, call.number("value")); }

Operands filled_like_tensor(Call& call) { return filled_like(call, only_value(call)); }

// A copy of self in which src stands in the place of a slice.
Operands slice_scatter(Call& call) {
  const HostTensor self = call.host("self");
  const HostTensor source = call.host("src");
  HostTensor whole = filled_host(call.name(), self.type, 0);
  assign(whole, values_of(self));
  const ir::Slice slice = call.slice_of(self.type.shape);
  std::optional<HostTensor> part = evaluate_on_host(slice, {whole});
  call.require(part && part->type == source.type, "src of the slice's type");
  assign(*part, values_of(source));
  return {{-1, std::move(whole)}};
}

Operands copy(Call& call) {
  HostTensor x = written(call);
  const HostTensor source = call.host("src");
  call.require(x.type.dtype == source.type.dtype, "a copy of the same element type");
  assign(x, values_of(broadcast_to(source, x.type.shape)));
  return {{-1, std::move(x)}};
}

template <bool kEqual>
Operands compare(Call& call) {
  const HostTensor x = call.host("self");
  const double other = call.number("other");
  HostTensor flags = filled_host(x.name, {ir::DType::kBool, x.type.shape}, 0);
  std::vector<double> values = values_of(x);
  for (double& value : values) value = (value == other) == kEqual ? 1 : 0;
  assign(flags, values);
  return {{-1, std::move(flags)}};
}

Operands masked_fill(Call& call) {
  const HostTensor x = call.host("self");
  const std::vector<double> mask = values_of(broadcast_to(call.host("mask"), x.type.shape));
  // Elements are float32.
  const double value = static_cast<float>(call.number("value"));
  call.require(x.type.dtype == ir::DType::kFloat32, "a constant of float32");
  std::vector<double> values = values_of(x);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (mask[i] != 0) values[i] = value;
  }
  HostTensor filled = filled_host(x.name, x.type, 0);
  assign(filled, values);
  return {{-1, std::move(filled)}};
}

constexpr auto kOps = std::to_array<AtenOp>({
    {"aten.clone.default", "self memory_format=None", Result::kNew, clone},
    {"aten.lift_fresh_copy.default", "self", Result::kNew, clone},
    {"aten.new_zeros.default", "self size dtype=None layout=None device=None pin_memory=None",
     Result::kNew, new_zeros},
    {"aten.zero.default", "self", Result::kNew, zeros_like},
    {"aten.fill.Scalar", "self value", Result::kNew, filled_like_scalar},
    {"aten.fill.Tensor", "self value", Result::kNew, filled_like_tensor},
    {"aten.slice_scatter.default", "self src dim=0 start=None end=None step=1", Result::kNew,
     slice_scatter},
    {"aten.zero_.default", "self", Result::kAlias, zero},
    {"aten.fill_.Scalar", "self value", Result::kAlias, fill_scalar},
    {"aten.fill_.Tensor", "self value", Result::kAlias, fill_tensor},
    {"aten.copy_.default", "self src non_blocking=False", Result::kAlias, copy},
    {"aten.eq.Scalar", "self other", Result::kNew, compare<true>},
    {"aten.ne.Scalar", "self other", Result::kNew, compare<false>},
    {"aten.masked_fill.Scalar", "self mask value", Result::kNew, masked_fill},
});

}  // namespace

std::span<const AtenOp> constant_ops() { return kOps; }

}  // namespace quantc::frontend
