// The parameters of every kernel by name, in the order of the C structs: visit_fields calls
// field(name, value) for each. Nested groups that C passes as a struct of their own (the output
// stage) come last, through field as well.
#pragma once

#include <type_traits>

#include "lower/kernels.h"

namespace quantc::lower {

/// True for fields that are groups of fields.
template <typename T>
constexpr bool kIsGroup =
    std::is_same_v<T, Requant> || std::is_same_v<T, FloatClip> || std::is_same_v<T, MmaOutput>;

template <typename F>
void visit_fields(Requant& p, F&& field) {
  field("zero_point", p.zero_point);
  field("lo", p.lo);
  field("hi", p.hi);
}
template <typename F>
void visit_fields(FloatClip& p, F&& field) {
  field("lo", p.lo);
  field("hi", p.hi);
}
template <typename F>
void visit_fields(MmaOutput& p, F&& field) {
  field("truncate", p.truncate);
  field("lo", p.lo);
  field("hi", p.hi);
}
template <typename F>
void visit_fields(ConvShape& p, F&& field) {
  field("kernel_h", p.kernel_h);
  field("kernel_w", p.kernel_w);
  field("stride_h", p.stride_h);
  field("stride_w", p.stride_w);
  field("pad_top", p.pad_top);
  field("pad_left", p.pad_left);
  field("dilation_h", p.dilation_h);
  field("dilation_w", p.dilation_w);
  field("groups", p.groups);
  field("x_zero_point", p.x_zero_point);
}
template <typename F>
void visit_fields(AvgWindows& p, F&& field) {
  field("begin_h", p.begin_h);
  field("end_h", p.end_h);
  field("divisor_h", p.divisor_h);
  field("begin_w", p.begin_w);
  field("end_w", p.end_w);
  field("divisor_w", p.divisor_w);
  field("x_zero_point", p.x_zero_point);
  field("scale", p.scale);
}
template <typename F>
void visit_fields(MmaConvShape& p, F&& field) {
  field("c_in", p.c_in);
  field("h_in", p.h_in);
  field("w_in", p.w_in);
  field("c_out", p.c_out);
  field("h_out", p.h_out);
  field("w_out", p.w_out);
  field("kernel_h", p.kernel_h);
  field("kernel_w", p.kernel_w);
  field("stride", p.stride);
  field("pad_top", p.pad_top);
  field("pad_left", p.pad_left);
  field("pad_bottom", p.pad_bottom);
  field("pad_right", p.pad_right);
  field("groups", p.groups);
  field("pad_fill", p.pad_fill);
  field("channels_per_call", p.channels_per_call);
}

template <typename F>
void visit_fields(QuantizeF32& p, F&& field) {
  field("inv_scale", p.inv_scale);
  field("out", p.out);
}
template <typename F>
void visit_fields(DequantizeI8& p, F&& field) {
  field("scale", p.scale);
  field("zero_point", p.zero_point);
}
template <typename F>
void visit_fields(Conv2dI8& p, F&& field) {
  visit_fields(p.shape, field);
  field("out", p.out);
}
template <typename F>
void visit_fields(Conv2dI8F32& p, F&& field) {
  visit_fields(p.shape, field);
  field("out", p.out);
}
template <typename F>
void visit_fields(LutI8& /*p*/, F&& /*field*/) {}
template <typename F>
void visit_fields(CopyI8& /*p*/, F&& /*field*/) {}
template <typename F>
void visit_fields(AddI8& p, F&& field) {
  field("a_scale", p.a_scale);
  field("b_scale", p.b_scale);
  field("inv_scale", p.inv_scale);
  field("a_zero_point", p.a_zero_point);
  field("b_zero_point", p.b_zero_point);
  field("out", p.out);
}
template <typename F>
void visit_fields(MaxPoolI8& p, F&& field) {
  field("kernel_h", p.kernel_h);
  field("kernel_w", p.kernel_w);
  field("stride_h", p.stride_h);
  field("stride_w", p.stride_w);
  field("pad_top", p.pad_top);
  field("pad_left", p.pad_left);
  field("dilation_h", p.dilation_h);
  field("dilation_w", p.dilation_w);
}
template <typename F>
void visit_fields(AvgPoolI8& p, F&& field) {
  visit_fields(p.windows, field);
  field("out", p.out);
}
template <typename F>
void visit_fields(AvgPoolI8F32& p, F&& field) {
  visit_fields(p.windows, field);
}
template <typename F>
void visit_fields(MmaConv2d& p, F&& field) {
  visit_fields(p.shape, field);
  field("out", p.out);
}
template <typename F>
void visit_fields(MmaDepthwise& p, F&& field) {
  visit_fields(p.shape, field);
  field("out", p.out);
}
template <typename F>
void visit_fields(MmaFc& p, F&& field) {
  field("k", p.k);
  field("n", p.n);
  field("k_padded", p.k_padded);
  field("n_padded", p.n_padded);
  field("out", p.out);
}

}  // namespace quantc::lower
