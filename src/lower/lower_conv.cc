// Convolutions and linear layers on the generic kernels.
#include <algorithm>
#include <limits>

#include "lower/rules.h"
#include "qc_kernels.h"

namespace quantc::lower {
namespace {

ConvShape conv_shape(const ConvOperands& operands) {
  const target::ConvGeometry& g = operands.geometry;
  return {.kernel_h = to_i32(g.kernel.h),
          .kernel_w = to_i32(g.kernel.w),
          .stride_h = to_i32(g.conv.stride.h),
          .stride_w = to_i32(g.conv.stride.w),
          .pad_top = to_i32(g.conv.padding.top),
          .pad_left = to_i32(g.conv.padding.left),
          .dilation_h = to_i32(g.conv.dilation.h),
          .dilation_w = to_i32(g.conv.dilation.w),
          .groups = to_i32(g.conv.groups),
          .x_zero_point = operands.x_zero_point};
}

qc_layout c_layout(const Layout& l) {
  return {l.n, l.c, l.h, l.w, l.n_stride, l.c_stride, l.h_stride, l.w_stride};
}

std::size_t scratch_bytes(const ConvShape& s, const Layout& x, const Layout& y) {
  const qc_conv2d_params params{c_layout(x),  c_layout(y),  s.kernel_h, s.kernel_w,
                                s.stride_h,   s.stride_w,   s.pad_top,  s.pad_left,
                                s.dilation_h, s.dilation_w, s.groups,   s.x_zero_point};
  return qc_conv2d_scratch_bytes(&params);
}

FloatClip float_clip(const FusedOp& fused) {
  constexpr float kMost = std::numeric_limits<float>::max();
  return {std::max(fused.clip_lo, -kMost), std::min(fused.clip_hi, kMost)};
}

}  // namespace

void lower_conv(LoweringContext& lowering, const FusedOp& fused, const ConvPlan& conv) {
  ProgramBuilder& program = lowering.program;
  const ConvOperands& operands = conv.operands;
  const ConvShape shape = conv_shape(operands);
  const ir::Shape channels{operands.c_out()};
  const float y_scale = fused.out_params ? fused.out_params->scale.at(0) : 1.0F;
  const auto constant = [&](const char* suffix, const ir::Tensor& tensor) {
    return program.add_constant(fused.layer + suffix, tensor);
  };
  Call call{.layer = fused.layer,
            .inputs = {program.read(fused.inputs.at(0).id, Order::kChannelsLast)},
            .constants = {
                constant(".weight", pack_ohwi(operands.weight)),
                constant(".bias", ir::Tensor::of(channels, folded_bias(operands, fused.layer))),
                constant(".multiplier", ir::Tensor::of(channels, multipliers(operands, y_scale)))}};
  if (fused.out_params) {
    call.kernel = Conv2dI8{shape, requant_of(fused)};
    call.output = program.place(fused.output, Order::kChannelsLast);
    call.error.bias = mean_bias_error(operands, y_scale);
  } else {
    call.kernel = Conv2dI8F32{shape, float_clip(fused)};
    call.output = program.output(fused.output);
  }
  call.scratch = program.add_scratch(
      fused.layer, scratch_bytes(shape, call.inputs[0].layout, call.output.layout));
  call.macs = ir::mac_count(lowering.graph, lowering.graph.node(*fused.core));
  call.not_offloaded = conv.not_offloaded;
  program.add_call(std::move(call));
}

}  // namespace quantc::lower
