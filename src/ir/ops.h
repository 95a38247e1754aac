// Every operation of the graph: one plain struct of attributes each. Semantics are PyTorch's, on
// NCHW tensors. The comment of a struct lists its inputs; every op has one output.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/quant_params.h"
#include "ir/tensor.h"

namespace quantc::ir {

/// Sizes along height and width.
struct Size2d {
  std::int64_t h = 1;
  std::int64_t w = 1;
  bool operator==(const Size2d&) const = default;
};

/// Padding in elements on the four sides of a plane.
struct Padding2d {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t bottom = 0;
  std::int64_t right = 0;
  bool operator==(const Padding2d&) const = default;
  static Padding2d symmetric(std::int64_t h, std::int64_t w) { return {h, w, h, w}; }
};

/// x [N,C_in,H,W], weight [C_out,C_in/groups,kh,kw], optional bias [C_out].
struct Conv2d {
  Size2d stride;
  Padding2d padding;
  Size2d dilation;
  std::int64_t groups = 1;
  bool operator==(const Conv2d&) const = default;
};

/// x [N,C_in,H,W], weight [C_in,C_out/groups,kh,kw], optional bias [C_out].
struct ConvTranspose2d {
  Size2d stride;
  Padding2d padding;
  Size2d output_padding{0, 0};
  Size2d dilation;
  std::int64_t groups = 1;
  bool operator==(const ConvTranspose2d&) const = default;
};

/// x [...,in], weight [out,in], optional bias [out].
struct Linear {
  bool operator==(const Linear&) const = default;
};

/// a [...,m,k], b [...,k,n] to [...,m,n]; the leading dimensions broadcast as NumPy does.
struct Matmul {
  bool operator==(const Matmul&) const = default;
};

/// x [N,C,...], weight [C], bias [C], running_mean [C], running_var [C]; inference form.
struct BatchNorm {
  double eps = 1e-5;
  bool operator==(const BatchNorm&) const = default;
};

/// x [...]; the last `normalized_dims` dimensions get mean 0 and variance 1 (biased, plus eps),
/// then weight and bias, both of the shape of these dimensions.
struct LayerNorm {
  double eps = 1e-5;
  std::int64_t normalized_dims = 1;
  bool operator==(const LayerNorm&) const = default;
};

/// x [...]; exp(x) / sum(exp(x)) along `axis`.
struct Softmax {
  std::int64_t axis = 0;
  bool operator==(const Softmax&) const = default;
};

struct Relu {
  bool operator==(const Relu&) const = default;
};

/// 1 / (1 + exp(-x)).
struct Sigmoid {
  bool operator==(const Sigmoid&) const = default;
};

/// min(max(x + 3, 0), 6) / 6.
struct HardSigmoid {
  bool operator==(const HardSigmoid&) const = default;
};

/// x * min(max(x + 3, 0), 6) / 6.
struct HardSwish {
  bool operator==(const HardSwish&) const = default;
};

/// x * sigmoid(x).
struct Silu {
  bool operator==(const Silu&) const = default;
};

/// x * (1 + erf(x / sqrt(2))) / 2, or with `tanh_form`
/// x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2.
struct Gelu {
  bool tanh_form = false;
  bool operator==(const Gelu&) const = default;
};

struct Tanh {
  bool operator==(const Tanh&) const = default;
};

struct Exp {
  bool operator==(const Exp&) const = default;
};

struct Sqrt {
  bool operator==(const Sqrt&) const = default;
};

/// Values outside [min, max] become the nearer bound. ReLU6 is [0, 6].
struct Clip {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
  bool operator==(const Clip&) const = default;
};

/// a, b, broadcast as NumPy does.
struct Add {
  bool operator==(const Add&) const = default;
};

/// a - b, broadcast as NumPy does.
struct Sub {
  bool operator==(const Sub&) const = default;
};

/// a * b, broadcast as NumPy does.
struct Mul {
  bool operator==(const Mul&) const = default;
};

/// a / b, broadcast as NumPy does.
struct Div {
  bool operator==(const Div&) const = default;
};

/// x [...]; the mean over `axes`, which disappear, or stay with size 1 with `keepdim`.
struct Mean {
  std::vector<std::int64_t> axes;
  bool keepdim = false;
  bool operator==(const Mean&) const = default;
};

/// x [...]; the square root of the sum of squares over `axes`, with `keepdim` as in Mean.
struct ReduceL2 {
  std::vector<std::int64_t> axes;
  bool keepdim = false;
  bool operator==(const ReduceL2&) const = default;
};

/// x [N,C,H,W]; padding never wins the maximum.
struct MaxPool2d {
  Size2d kernel;
  Size2d stride;
  Padding2d padding;
  Size2d dilation;
  bool ceil_mode = false;
  bool operator==(const MaxPool2d&) const = default;
};

/// x [N,C,H,W].
struct AvgPool2d {
  Size2d kernel;
  Size2d stride;
  Padding2d padding;
  bool ceil_mode = false;
  bool count_include_pad = true;
  bool operator==(const AvgPool2d&) const = default;
};

/// x [N,C,H,W] to [N,C,output.h,output.w]; window i covers [floor(i*H/out), ceil((i+1)*H/out)).
struct AdaptiveAvgPool2d {
  Size2d output;
  bool operator==(const AdaptiveAvgPool2d&) const = default;
};

/// Dimensions [start_dim, end) merged into one.
struct Flatten {
  std::int64_t start_dim = 1;
  bool operator==(const Flatten&) const = default;
};

/// x to `shape`; one size may be -1.
struct Reshape {
  Shape shape;
  bool operator==(const Reshape&) const = default;
};

/// Dimension i of the output is dimension perm[i] of x.
struct Transpose {
  std::vector<std::int64_t> perm;
  bool operator==(const Transpose&) const = default;
};

/// x[start:end:step] along `axis`; 0 <= start < end <= size, step >= 1.
struct Slice {
  std::int64_t axis = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  bool operator==(const Slice&) const = default;
};

/// x f32 with before[i] and after[i] elements of `value` around dimension i.
struct Pad {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
  float value = 0;
  bool operator==(const Pad&) const = default;
};

/// x stretched to `shape`, as NumPy's broadcast_to.
struct Expand {
  Shape shape;
  bool operator==(const Expand&) const = default;
};

/// x [A...,size,B...], indices i32 or i64 [I...] in [0, size) to [A...,I...,B...]; `axis` is that
/// of size.
struct Gather {
  std::int64_t axis = 0;
  bool operator==(const Gather&) const = default;
};

/// One or more tensors along `axis`.
struct Concat {
  std::int64_t axis = 1;
  bool operator==(const Concat&) const = default;
};

/// x f32; q = clamp(rne(x * (1/scale)) + zero_point, qmin, qmax).
struct Quantize {
  QuantParams params;
  bool operator==(const Quantize&) const = default;
};

/// x integer; r = (q - zero_point) * scale in f32.
struct Dequantize {
  QuantParams params;
  bool operator==(const Dequantize&) const = default;
};

using Op =
    std::variant<Conv2d, ConvTranspose2d, Linear, Matmul, BatchNorm, LayerNorm, Softmax, Relu, Clip,
                 Sigmoid, HardSigmoid, HardSwish, Silu, Gelu, Tanh, Exp, Sqrt, Add, Sub, Mul, Div,
                 Mean, ReduceL2, MaxPool2d, AvgPool2d, AdaptiveAvgPool2d, Flatten, Reshape,
                 Transpose, Slice, Pad, Expand, Gather, Concat, Quantize, Dequantize>;

/// The op's name in the text form, for example "conv2d".
std::string_view name_of(const Op& op);

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace quantc::ir
