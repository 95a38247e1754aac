// Every operation of the graph: one plain struct of attributes each. Semantics are PyTorch's, on
// NCHW tensors. The comment of a struct lists its inputs; every op has one output.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/dtype.h"
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

/// x [N,C,...], weight [C], bias [C], running_mean [C], running_var [C]; inference form.
struct BatchNorm {
  double eps = 1e-5;
  bool operator==(const BatchNorm&) const = default;
};

struct Relu {
  bool operator==(const Relu&) const = default;
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

/// Two or more tensors along `axis`.
struct Concat {
  std::int64_t axis = 1;
  bool operator==(const Concat&) const = default;
};

/// How real numbers map to integers: r = (q - zero_point) * scale. One scale and zero point for the
/// whole tensor, or one for each index along `axis`.
struct QuantParams {
  DType dtype = DType::kInt8;
  std::int32_t qmin = -128;
  std::int32_t qmax = 127;
  std::vector<float> scale;
  std::vector<std::int32_t> zero_point;
  std::optional<std::int64_t> axis;
  bool operator==(const QuantParams&) const = default;
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
    std::variant<Conv2d, ConvTranspose2d, Linear, BatchNorm, Relu, Clip, Add, MaxPool2d, AvgPool2d,
                 AdaptiveAvgPool2d, Flatten, Reshape, Concat, Quantize, Dequantize>;

/// The op's name in the text form, for example "conv2d".
std::string_view name_of(const Op& op);

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace quantc::ir
