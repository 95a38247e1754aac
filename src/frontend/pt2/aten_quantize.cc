// The operators of quantized programs: quantized_decomposed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

template <typename Code>
bool holds(ir::DType dtype, std::int64_t qmin, std::int64_t qmax) {
  using Limits = std::numeric_limits<Code>;
  return dtype == ir::dtype_of<Code>() && qmin >= Limits::min() && qmax <= Limits::max();
}

[[noreturn]] void bad_params(const Call& call, const std::string& expected,
                             const std::string& found) {
  throw InputError(fmt::format("{}: expected {}, found {}", call.name(), expected, found));
}

// Codes and their range.
ir::QuantParams code_params(const Call& call) {
  const ir::DType dtype = call.dtype("dtype");
  const std::int64_t qmin = call.integer("quant_min");
  const std::int64_t qmax = call.integer("quant_max");
  const bool fits =
      holds<std::int8_t>(dtype, qmin, qmax) || holds<std::uint8_t>(dtype, qmin, qmax) ||
      holds<std::int16_t>(dtype, qmin, qmax) || holds<std::int32_t>(dtype, qmin, qmax);
  if (!fits || qmin > qmax) {
    bad_params(call, "codes of i8, u8, i16 or i32 and a range that fits them",
               fmt::format("{} and [{},{}]", ir::name_of(dtype), qmin, qmax));
  }
  ir::QuantParams params;
  params.dtype = dtype;
  params.qmin = static_cast<std::int32_t>(qmin);
  params.qmax = static_cast<std::int32_t>(qmax);
  return params;
}

void add_channel(const Call& call, ir::QuantParams& params, double scale, std::int64_t zero_point) {
  const auto single = static_cast<float>(scale);
  if (!(single > 0) || !std::isfinite(single)) {
    bad_params(call, "a positive scale", fmt::format("{}", scale));
  }
  if (zero_point < params.qmin || zero_point > params.qmax) {
    bad_params(call, fmt::format("a zero point in [{},{}]", params.qmin, params.qmax),
               fmt::format("{}", zero_point));
  }
  params.scale.push_back(single);
  params.zero_point.push_back(static_cast<std::int32_t>(zero_point));
}

ir::QuantParams per_tensor(const Call& call) {
  ir::QuantParams params = code_params(call);
  add_channel(call, params, call.number("scale"), call.integer("zero_point"));
  return params;
}

// Scale and zero point as constants of one element.
ir::QuantParams per_tensor_of_tensors(const Call& call) {
  ir::QuantParams params = code_params(call);
  const std::vector<double> scale = values_of(call.host("scale"));
  const std::vector<double> zero_point = values_of(call.host("zero_point"));
  call.require(scale.size() == 1 && zero_point.size() == 1, "one scale and one zero point");
  add_channel(call, params, scale[0], std::llround(zero_point[0]));
  return params;
}

ir::QuantParams per_channel(const Call& call) {
  ir::QuantParams params = code_params(call);
  const ir::Shape& shape = call.shape(call.tensor("input"));
  const std::int64_t axis = call.axis("axis", shape.size());
  const std::int64_t channels = shape[static_cast<std::size_t>(axis)];
  const std::vector<double> scales = values_of(call.host("scales"));
  std::vector<double> zero_points(scales.size());
  if (!call.is_none("zero_points")) zero_points = values_of(call.host("zero_points"));
  if (std::ssize(scales) != channels || std::ssize(zero_points) != channels) {
    bad_params(call, fmt::format("{} scales and zero points", channels),
               fmt::format("{} and {}", scales.size(), zero_points.size()));
  }
  for (std::size_t i = 0; i < scales.size(); ++i) {
    add_channel(call, params, scales[i], std::llround(zero_points[i]));
  }
  params.axis = axis;
  return params;
}

using ParamsOf = ir::QuantParams (*)(const Call&);

template <ParamsOf params_of>
Operands quantize(Call& call) {
  return {call.emit(ir::Quantize{params_of(call)}, {call.tensor("input")})};
}

template <ParamsOf params_of>
Operands dequantize(Call& call) {
  call.require(call.is_none("out_dtype") || call.dtype("out_dtype") == ir::DType::kFloat32,
               "out_dtype float32");
  return {call.emit(ir::Dequantize{params_of(call)}, {call.tensor("input")})};
}

constexpr std::string_view kQuantize = "input scale zero_point quant_min quant_max dtype";
constexpr std::string_view kDequantize =
    "input scale zero_point quant_min quant_max dtype out_dtype=None";

constexpr auto kOps = std::to_array<AtenOp>({
    {"quantized_decomposed.quantize_per_tensor.default", kQuantize, Result::kNew,
     quantize<per_tensor>},
    {"quantized_decomposed.dequantize_per_tensor.default", kDequantize, Result::kNew,
     dequantize<per_tensor>},
    {"quantized_decomposed.quantize_per_tensor.tensor", kQuantize, Result::kNew,
     quantize<per_tensor_of_tensors>},
    {"quantized_decomposed.dequantize_per_tensor.tensor", kDequantize, Result::kNew,
     dequantize<per_tensor_of_tensors>},
    {"quantized_decomposed.quantize_per_channel.default",
     "input scales zero_points axis quant_min quant_max dtype", Result::kNew,
     quantize<per_channel>},
    {"quantized_decomposed.dequantize_per_channel.default",
     "input scales zero_points axis quant_min quant_max dtype out_dtype=None", Result::kNew,
     dequantize<per_channel>},
});

}  // namespace

std::span<const AtenOp> quantize_ops() { return kOps; }

}  // namespace quantc::frontend
