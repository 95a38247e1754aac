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

Operands fill_tensor(Call& call) {
  const std::vector<double> value = values_of(call.host("value"));
  call.require(value.size() == 1, "a value of one element");
  return fill(call, value.front());
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
