// Pooling and means.
#include <array>

#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

ir::Padding2d padding_of(const Call& call) {
  const ir::Size2d padding = call.pair("padding");
  return ir::Padding2d::symmetric(padding.h, padding.w);
}

// An empty list stands for the kernel's size.
ir::Size2d stride_of(const Call& call) {
  return call.pair(call.integers("stride").empty() ? "kernel_size" : "stride");
}

Operands max_pool2d(Call& call) {
  const ir::MaxPool2d pool{call.pair("kernel_size"), stride_of(call), padding_of(call),
                           call.pair("dilation"), call.flag("ceil_mode")};
  return {call.emit(pool, {call.tensor("self")})};
}

Operands avg_pool2d(Call& call) {
  call.require(call.is_none("divisor_override"), "avg_pool2d without divisor_override");
  const ir::AvgPool2d pool{call.pair("kernel_size"), stride_of(call), padding_of(call),
                           call.flag("ceil_mode"), call.flag("count_include_pad")};
  return {call.emit(pool, {call.tensor("self")})};
}

Operands adaptive_avg_pool2d(Call& call) {
  return {call.emit(ir::AdaptiveAvgPool2d{call.pair("output_size")}, {call.tensor("self")})};
}

constexpr std::string_view kMaxPool =
    "self kernel_size stride=[] padding=0 dilation=1 ceil_mode=False";

constexpr auto kOps = std::to_array<AtenOp>({
    {"aten.max_pool2d.default", kMaxPool, Result::kNew, max_pool2d},
    {"aten.max_pool2d_with_indices.default", kMaxPool, Result::kNew, max_pool2d},
    {"aten.avg_pool2d.default",
     "self kernel_size stride=[] padding=0 ceil_mode=False count_include_pad=True "
     "divisor_override=None",
     Result::kNew, avg_pool2d},
    {"aten.adaptive_avg_pool2d.default", "self output_size", Result::kNew, adaptive_avg_pool2d},
    {"aten._adaptive_avg_pool2d.default", "self output_size", Result::kNew, adaptive_avg_pool2d},
});

}  // namespace

std::span<const AtenOp> pool_ops() { return kOps; }

}  // namespace quantc::frontend
