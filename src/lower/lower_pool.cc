// Pooling.
#include "ir/pool_windows.h"
#include "ir/quant_math.h"
#include "lower/rules.h"

namespace quantc::lower {
namespace {

void fill(const std::vector<ir::PoolWindow>& from, std::vector<std::int32_t>& begin,
          std::vector<std::int32_t>& end, std::vector<std::int32_t>& divisor) {
  for (const ir::PoolWindow& window : from) {
    begin.push_back(to_i32(window.begin));
    end.push_back(to_i32(window.end));
    divisor.push_back(to_i32(window.divisor));
  }
}

std::vector<ir::PoolWindow> rows(const ir::AvgPool2d& pool, std::int64_t in, std::int64_t out) {
  return ir::pool_windows_h(pool, in, out);
}
std::vector<ir::PoolWindow> columns(const ir::AvgPool2d& pool, std::int64_t in, std::int64_t out) {
  return ir::pool_windows_w(pool, in, out);
}
std::vector<ir::PoolWindow> rows(const ir::AdaptiveAvgPool2d& /*pool*/, std::int64_t in,
                                 std::int64_t out) {
  return ir::adaptive_windows(in, out);
}
std::vector<ir::PoolWindow> columns(const ir::AdaptiveAvgPool2d& /*pool*/, std::int64_t in,
                                    std::int64_t out) {
  return ir::adaptive_windows(in, out);
}

template <typename Pool>
void lower_average(LoweringContext& lowering, const Pool& pool, const FusedOp& fused) {
  ProgramBuilder& program = lowering.program;
  const QuantizedValue& input = fused.inputs.at(0);
  const TensorRef x = program.tensor(input.id);
  const TensorRef y =
      fused.out_params ? program.place(fused.output, Order::kAny) : program.output(fused.output);
  AvgWindows windows;
  fill(rows(pool, x.layout.h, y.layout.h), windows.begin_h, windows.end_h, windows.divisor_h);
  fill(columns(pool, x.layout.w, y.layout.w), windows.begin_w, windows.end_w, windows.divisor_w);
  windows.x_zero_point = input.params.zero_point.at(0);
  windows.scale = input.params.scale.at(0);
  Call call{.layer = fused.layer, .inputs = {x}, .output = y};
  if (fused.out_params) {
    windows.scale *= ir::inverse_scale(fused.out_params->scale.at(0));
    call.kernel = AvgPoolI8{windows, requant_of(fused)};
  } else {
    require_no_activation(fused);
    call.kernel = AvgPoolI8F32{windows};
  }
  program.add_call(std::move(call));
}

}  // namespace

void lower_core(LoweringContext& lowering, const ir::MaxPool2d& pool, const FusedOp& fused) {
  require_shared_codes(fused);
  ProgramBuilder& program = lowering.program;
  program.add_call({.layer = fused.layer,
                    .kernel = MaxPoolI8{to_i32(pool.kernel.h), to_i32(pool.kernel.w),
                                        to_i32(pool.stride.h), to_i32(pool.stride.w),
                                        to_i32(pool.padding.top), to_i32(pool.padding.left),
                                        to_i32(pool.dilation.h), to_i32(pool.dilation.w)},
                    .inputs = {program.tensor(fused.inputs.at(0).id)},
                    .output = program.place(fused.output, Order::kAny)});
}

void lower_core(LoweringContext& lowering, const ir::AvgPool2d& pool, const FusedOp& fused) {
  lower_average(lowering, pool, fused);
}

void lower_core(LoweringContext& lowering, const ir::AdaptiveAvgPool2d& pool,
                const FusedOp& fused) {
  lower_average(lowering, pool, fused);
}

}  // namespace quantc::lower
