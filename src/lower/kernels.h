// The kernels a program can call: one struct of parameters each, with the names of the C runtime's
// parameter structs (runtime/kernels/qc_kernels.h, runtime/mmalib/qc_mmalib.h). `fields` lists them
// once for the text form, the parser and the C emission.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace quantc::lower {

/// How many operands a kernel takes besides its parameters and its output.
struct Operands {
  std::size_t inputs = 0;
  std::size_t constants = 0;
  bool scratch = false;
};

/// Bounds and zero point of an int8 output.
struct Requant {
  std::int32_t zero_point = 0;
  std::int32_t lo = -128;
  std::int32_t hi = 127;
  bool operator==(const Requant&) const = default;
};

/// Bounds of a float32 output.
struct FloatClip {
  float lo;
  float hi;
  bool operator==(const FloatClip&) const = default;
};

/// The MMALIB output stage.
struct MmaOutput {
  bool truncate = false;
  std::int32_t lo = -128;
  std::int32_t hi = 127;
  bool operator==(const MmaOutput&) const = default;
};

struct QuantizeF32 {
  static constexpr std::string_view kName = "qc_quantize_f32_i8";
  static constexpr Operands kOperands{1, 0};
  float inv_scale = 1;
  Requant out;
  bool operator==(const QuantizeF32&) const = default;
};

struct DequantizeI8 {
  static constexpr std::string_view kName = "qc_dequantize_i8_f32";
  static constexpr Operands kOperands{1, 0};
  float scale = 1;
  std::int32_t zero_point = 0;
  bool operator==(const DequantizeI8&) const = default;
};

/// Geometry shared by both convolutions of the generic path.
struct ConvShape {
  std::int32_t kernel_h = 1, kernel_w = 1;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t pad_top = 0, pad_left = 0;
  std::int32_t dilation_h = 1, dilation_w = 1;
  std::int32_t groups = 1;
  std::int32_t x_zero_point = 0;
  bool operator==(const ConvShape&) const = default;
};

struct Conv2dI8 {
  static constexpr std::string_view kName = "qc_conv2d_i8";
  static constexpr Operands kOperands{1, 3, true};
  ConvShape shape;
  Requant out;
  bool operator==(const Conv2dI8&) const = default;
};

struct Conv2dI8F32 {
  static constexpr std::string_view kName = "qc_conv2d_i8_f32";
  static constexpr Operands kOperands{1, 3, true};
  ConvShape shape;
  FloatClip out{};
  bool operator==(const Conv2dI8F32&) const = default;
};

struct LutI8 {
  static constexpr std::string_view kName = "qc_lut_i8";
  static constexpr Operands kOperands{1, 1};
  bool operator==(const LutI8&) const = default;
};

struct CopyI8 {
  static constexpr std::string_view kName = "qc_copy_i8";
  static constexpr Operands kOperands{1, 0};
  bool operator==(const CopyI8&) const = default;
};

struct AddI8 {
  static constexpr std::string_view kName = "qc_add_i8";
  static constexpr Operands kOperands{2, 0};
  float a_scale = 1, b_scale = 1, inv_scale = 1;
  std::int32_t a_zero_point = 0, b_zero_point = 0;
  Requant out;
  bool operator==(const AddI8&) const = default;
};

struct MaxPoolI8 {
  static constexpr std::string_view kName = "qc_max_pool_i8";
  static constexpr Operands kOperands{1, 0};
  std::int32_t kernel_h = 1, kernel_w = 1;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t pad_top = 0, pad_left = 0;
  std::int32_t dilation_h = 1, dilation_w = 1;
  bool operator==(const MaxPoolI8&) const = default;
};

/// Windows of average pooling; see qc_avg_pool_params.
struct AvgWindows {
  std::vector<std::int32_t> begin_h, end_h, divisor_h;
  std::vector<std::int32_t> begin_w, end_w, divisor_w;
  std::int32_t x_zero_point = 0;
  float scale = 1;
  bool operator==(const AvgWindows&) const = default;
};

struct AvgPoolI8 {
  static constexpr std::string_view kName = "qc_avg_pool_i8";
  static constexpr Operands kOperands{1, 0};
  AvgWindows windows;
  Requant out;
  bool operator==(const AvgPoolI8&) const = default;
};

struct AvgPoolI8F32 {
  static constexpr std::string_view kName = "qc_avg_pool_i8_f32";
  static constexpr Operands kOperands{1, 0};
  AvgWindows windows;
  bool operator==(const AvgPoolI8F32&) const = default;
};

/// Geometry shared by the MMALIB convolutions.
struct MmaConvShape {
  std::int32_t c_in = 0, h_in = 0, w_in = 0;
  std::int32_t c_out = 0, h_out = 0, w_out = 0;
  std::int32_t kernel_h = 1, kernel_w = 1;
  std::int32_t stride = 1;
  std::int32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  std::int32_t groups = 1;
  std::int32_t pad_fill = 0;
  std::int32_t channels_per_call = 0;
  bool operator==(const MmaConvShape&) const = default;
};

struct MmaConv2d {
  static constexpr std::string_view kName = "qc_mma_conv2d_i8";
  static constexpr Operands kOperands{1, 4, true};
  MmaConvShape shape;
  MmaOutput out;
  bool operator==(const MmaConv2d&) const = default;
};

struct MmaDepthwise {
  static constexpr std::string_view kName = "qc_mma_depthwise_i8";
  static constexpr Operands kOperands{1, 4, true};
  MmaConvShape shape;
  MmaOutput out;
  bool operator==(const MmaDepthwise&) const = default;
};

struct MmaFc {
  static constexpr std::string_view kName = "qc_mma_fc_i8";
  static constexpr Operands kOperands{1, 4, true};
  std::int32_t k = 0, n = 0;
  std::int32_t k_padded = 0, n_padded = 0;
  MmaOutput out;
  bool operator==(const MmaFc&) const = default;
};

using Kernel = std::variant<QuantizeF32, DequantizeI8, Conv2dI8, Conv2dI8F32, LutI8, CopyI8, AddI8,
                            MaxPoolI8, AvgPoolI8, AvgPoolI8F32, MmaConv2d, MmaDepthwise, MmaFc>;

/// The C function's name.
std::string_view name_of(const Kernel& kernel);

Operands operands_of(const Kernel& kernel);

/// True for the kernels of the MMALIB path.
bool is_offloaded(const Kernel& kernel);

}  // namespace quantc::lower
