// Convolutions and linear layers on MMALIB's kernels.
#include "base/error.h"
#include "lower/rules.h"
#include "qc_mmalib.h"

namespace quantc::lower {
namespace {

std::int64_t padded_to_fc(std::int64_t size) {
  constexpr std::int64_t kMultiple = target::kMmaFcMultiple;
  return (size + kMultiple - 1) / kMultiple * kMultiple;
}

MmaConvShape mma_conv_shape(const ConvOperands& operands) {
  const target::ConvGeometry& g = operands.geometry;
  const std::int64_t stride = g.conv.stride.h;
  return {.c_in = to_i32(g.c_in),
          .h_in = to_i32(g.h_in),
          .w_in = to_i32(g.w_in),
          .c_out = to_i32(g.c_out),
          .h_out = to_i32(g.h_out),
          .w_out = to_i32(g.w_out),
          .kernel_h = to_i32(g.kernel.h),
          .kernel_w = to_i32(g.kernel.w),
          .stride = to_i32(stride),
          .pad_top = to_i32(g.conv.padding.top),
          .pad_left = to_i32(g.conv.padding.left),
          .pad_bottom = to_i32(g.conv.padding.bottom),
          .pad_right = to_i32(g.conv.padding.right),
          .groups = to_i32(g.conv.groups),
          .pad_fill = operands.x_zero_point,
          .channels_per_call = to_i32(stride == 1 ? target::kMmaChannelsPerCallStride1
                                                  : target::kMmaChannelsPerCallStrided)};
}

std::size_t scratch_bytes(const MmaConvShape& s) {
  const qc_mma_conv2d_params params{s.c_in,      s.h_in,    s.w_in,     s.c_out,
                                    s.h_out,     s.w_out,   s.kernel_h, s.kernel_w,
                                    s.stride,    s.pad_top, s.pad_left, s.pad_bottom,
                                    s.pad_right, s.groups,  s.pad_fill, s.channels_per_call};
  return qc_mma_conv2d_scratch_bytes(&params);
}

std::vector<ConstantId> add_constants(ProgramBuilder& program, const std::string& layer,
                                      const ir::Tensor& weight, const MmaOperands& mma,
                                      std::int64_t padded) {
  const auto channels = [&](auto values, int filling) {
    values.resize(static_cast<std::size_t>(padded), filling);
    return ir::Tensor::of({padded}, values);
  };
  // A padded channel's product is discarded, but the library refuses a scale of 0.
  return {program.add_constant(layer + ".weight", weight),
          program.add_constant(layer + ".bias", channels(mma.bias, 0)),
          program.add_constant(layer + ".scale", channels(mma.scale, 1)),
          program.add_constant(layer + ".shift", channels(mma.shift, 0))};
}

void fill_fc(ProgramBuilder& program, const ConvPlan& conv, const MmaOutput& out, Call& call) {
  const std::int64_t n = conv.operands.c_out();
  const std::int64_t k = conv.operands.weight.elements() / n;
  const std::int64_t n_padded = padded_to_fc(n);
  const std::int64_t k_padded = padded_to_fc(k);
  if (conv.operands.geometry.batch != 1) throw UnsupportedError("MMALIB takes batch 1 only");
  call.kernel = MmaFc{to_i32(k), to_i32(n), to_i32(k_padded), to_i32(n_padded), out};
  call.constants =
      add_constants(program, call.layer, pad_matrix(conv.operands.weight, n_padded, k_padded),
                    *conv.mma, n_padded);
  call.scratch = program.add_scratch(call.layer, static_cast<std::size_t>(k_padded + n_padded));
}

void fill_conv(ProgramBuilder& program, const ConvPlan& conv, const MmaOutput& out, Call& call) {
  const MmaConvShape shape = mma_conv_shape(conv.operands);
  if (conv.operands.geometry.depthwise()) {
    call.kernel = MmaDepthwise{shape, out};
  } else {
    call.kernel = MmaConv2d{shape, out};
  }
  call.constants =
      add_constants(program, call.layer, conv.operands.weight, *conv.mma, conv.operands.c_out());
  call.scratch = program.add_scratch(call.layer, scratch_bytes(shape));
}

}  // namespace

void lower_mma(LoweringContext& lowering, const FusedOp& fused, const ConvPlan& conv) {
  ProgramBuilder& program = lowering.program;
  const Requant bounds = requant_of(fused);
  const MmaOutput out{lowering.target.mmalib_truncates, bounds.lo, bounds.hi};
  Call call{.layer = fused.layer, .inputs = {program.read(fused.inputs.at(0).id, Order::kPlanar)}};
  (conv.operands.is_linear ? fill_fc : fill_conv)(program, conv, out, call);
  call.output = program.place(fused.output, Order::kPlanar);
  call.macs = ir::mac_count(lowering.graph, lowering.graph.node(*fused.core));
  call.error = conv.mma->error;
  program.add_call(std::move(call));
}

}  // namespace quantc::lower
