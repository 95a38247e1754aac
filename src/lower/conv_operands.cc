#include "lower/conv_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"

namespace quantc::lower {
namespace {

constexpr double kInt32Max = std::numeric_limits<std::int32_t>::max();
constexpr double kMaxInputMagnitude = 128;

const ir::Node* dequantize_of(const ir::Graph& graph, ir::ValueId value) {
  for (const ir::Node& node : graph.nodes) {
    if (node.output == value)
      return std::holds_alternative<ir::Dequantize>(node.op) ? &node : nullptr;
  }
  return nullptr;
}

[[noreturn]] void refuse(const std::string& layer, const std::string& expected,
                         const std::string& found) {
  throw UnsupportedError(fmt::format("{}: expected {}, found {}", layer, expected, found));
}

// The int8 weights as a 4-dimensional kernel, and their scales.
void take_weights(const ir::Graph& graph, const ir::Node& core, const ir::Shape& x_shape,
                  ConvOperands& operands, std::vector<float>& weight_scale) {
  const ir::Node* dequantize = dequantize_of(graph, core.inputs.at(1));
  const ir::Value* codes = dequantize == nullptr ? nullptr : &graph.value(dequantize->inputs.at(0));
  if (codes == nullptr || !codes->constant || codes->type.dtype != ir::DType::kInt8) {
    refuse(core.name, "constant int8 weights behind a dequantize", "other weights");
  }
  const ir::QuantParams& params = std::get<ir::Dequantize>(dequantize->op).params;
  for (const std::int32_t zero_point : params.zero_point) {
    if (zero_point != 0) refuse(core.name, "symmetric weights", "a weight zero point");
  }
  operands.weight = *codes->constant;
  if (operands.is_linear) {
    operands.weight = operands.weight.reshaped(
        {codes->type.shape.at(0), x_shape.at(1), x_shape.at(2), x_shape.at(3)});
  }
  weight_scale = params.scale;
  weight_scale.resize(static_cast<std::size_t>(operands.weight.shape().at(0)),
                      params.scale.front());
}

void take_geometry(const ir::Graph& graph, const ir::Node& core, const ir::Shape& x_shape,
                   ConvOperands& operands) {
  target::ConvGeometry& g = operands.geometry;
  const ir::Shape& y_shape = graph.value(core.output).type.shape;
  const ir::Shape& w_shape = operands.weight.shape();
  g.batch = x_shape.at(0);
  g.c_in = x_shape.at(1);
  g.h_in = x_shape.at(2);
  g.w_in = x_shape.at(3);
  g.c_out = w_shape.at(0);
  g.h_out = operands.is_linear ? 1 : y_shape.at(2);
  g.w_out = operands.is_linear ? 1 : y_shape.at(3);
  g.kernel = {w_shape.at(2), w_shape.at(3)};
  if (const auto* conv = std::get_if<ir::Conv2d>(&core.op)) g.conv = *conv;
}

void sum_weights(ConvOperands& operands) {
  const auto codes = operands.weight.values<std::int8_t>();
  const auto channels = static_cast<std::size_t>(operands.c_out());
  const std::size_t row = codes.size() / channels;
  operands.weight_sum.assign(channels, 0);
  operands.weight_abs.assign(channels, 0);
  for (std::size_t c = 0; c < channels; ++c) {
    for (const std::int8_t code : codes.subspan(c * row, row)) {
      operands.weight_sum[c] += code;
      operands.weight_abs[c] += std::abs(code);
    }
  }
}

void require_bias_scale(const ir::Node& core, const ir::QuantParams& params, std::size_t channel,
                        float acc_scale) {
  const float scale = params.scale.size() == 1 ? params.scale[0] : params.scale.at(channel);
  if (std::abs(scale - acc_scale) <= 1e-6F * acc_scale) return;
  refuse(core.name, fmt::format("bias scale {} = s_x * s_w", acc_scale), fmt::format("{}", scale));
}

// In accumulator units: an int32 bias has them already, a float one is divided by them.
std::vector<double> take_bias(const ir::Graph& graph, const ir::Node& core,
                              const ConvOperands& operands) {
  const auto channels = static_cast<std::size_t>(operands.c_out());
  std::vector<double> bias(channels, 0);
  if (core.inputs.size() < 3) return bias;
  const ir::ValueId id = core.inputs[2];
  const ir::Node* dequantize = dequantize_of(graph, id);
  const ir::ValueId source = dequantize != nullptr ? dequantize->inputs.at(0) : id;
  if (!graph.is_constant(source)) refuse(core.name, "a constant bias", "a computed one");
  const ir::Tensor& constant = *graph.value(source).constant;
  for (std::size_t c = 0; c < channels; ++c) {
    if (dequantize == nullptr) {
      bias[c] = static_cast<double>(constant.values<float>()[c]) / operands.acc_scale[c];
      continue;
    }
    require_bias_scale(core, std::get<ir::Dequantize>(dequantize->op).params, c,
                       operands.acc_scale[c]);
    bias[c] = constant.values<std::int32_t>()[c];
  }
  return bias;
}

double input_zero_point_part(const ConvOperands& operands, std::size_t channel) {
  return static_cast<double>(operands.x_zero_point * operands.weight_sum[channel]);
}

// The largest magnitude that an accumulator of this channel can reach.
double accumulator_reach(const ConvOperands& operands, std::size_t channel, double bias) {
  return std::abs(bias) + kMaxInputMagnitude * static_cast<double>(operands.weight_abs[channel]);
}

// Errors that are float32's own rounding of a constant do not count.
double rounding_error(double bias) {
  constexpr double kNoise = 0x1p-10;
  const double error = std::abs(std::nearbyint(bias) - bias);
  return error > kNoise ? error : 0;
}

double relative_error(const target::MmaMultiplier& multiplier, double exact) {
  constexpr double kNoise = 0x1p-20;
  const double error = std::abs(multiplier.value() / exact - 1);
  return error > kNoise ? error : 0;
}

}  // namespace

ConvOperands conv_operands(const ir::Graph& graph, const FusedOp& fused, const ir::Shape& x_shape) {
  const ir::Node& core = graph.node(fused.core.value());
  const ir::QuantParams& x = fused.inputs.at(0).params;
  ConvOperands operands;
  operands.is_linear = std::holds_alternative<ir::Linear>(core.op);
  std::vector<float> weight_scale;
  take_weights(graph, core, x_shape, operands, weight_scale);
  take_geometry(graph, core, x_shape, operands);
  sum_weights(operands);
  operands.x_zero_point = x.zero_point.at(0);
  for (const float scale : weight_scale) operands.acc_scale.push_back(x.scale.at(0) * scale);
  operands.bias = take_bias(graph, core, operands);
  return operands;
}

std::vector<std::int32_t> folded_bias(const ConvOperands& operands, const std::string& layer) {
  std::vector<std::int32_t> folded;
  for (std::size_t c = 0; c < operands.bias.size(); ++c) {
    const double bias = std::nearbyint(operands.bias[c]) - input_zero_point_part(operands, c);
    const double reach = accumulator_reach(operands, c, bias);
    if (!(reach <= kInt32Max)) {
      refuse(layer, "sums within int32 accumulators",
             fmt::format("up to {} in channel {}; preset quantc raises that channel's weight scale",
                         reach, c));
    }
    folded.push_back(static_cast<std::int32_t>(bias));
  }
  return folded;
}

double mean_bias_error(const ConvOperands& operands, float y_scale) {
  double sum = 0;
  for (std::size_t c = 0; c < operands.bias.size(); ++c) {
    sum += rounding_error(operands.bias[c]) * operands.acc_scale[c] / y_scale;
  }
  return sum / static_cast<double>(operands.bias.size());
}

std::vector<float> multipliers(const ConvOperands& operands, float y_scale) {
  std::vector<float> m;
  for (const float scale : operands.acc_scale) m.push_back(scale / y_scale);
  return m;
}

ir::Tensor pack_ohwi(const ir::Tensor& weight) {
  const ir::Shape& s = weight.shape();
  const auto codes = weight.values<std::int8_t>();
  const auto channels = static_cast<std::size_t>(s.at(1));
  const auto taps = static_cast<std::size_t>(s.at(2) * s.at(3));
  std::vector<std::int8_t> packed(codes.size());
  for (std::size_t o = 0; o < static_cast<std::size_t>(s.at(0)); ++o) {
    const std::size_t row = o * channels * taps;
    for (std::size_t c = 0; c < channels; ++c) {
      for (std::size_t t = 0; t < taps; ++t) {
        packed[row + t * channels + c] = codes[row + c * taps + t];
      }
    }
  }
  return ir::Tensor::of({s[0], s[2], s[3], s[1]}, packed);
}

ir::Tensor pad_matrix(const ir::Tensor& weight, std::int64_t n_padded, std::int64_t k_padded) {
  const auto codes = weight.values<std::int8_t>();
  const auto n = static_cast<std::size_t>(weight.shape().at(0));
  const std::size_t k = codes.size() / n;
  const auto pitch = static_cast<std::size_t>(k_padded);
  std::vector<std::int8_t> padded(static_cast<std::size_t>(n_padded) * pitch, 0);
  for (std::size_t row = 0; row < n; ++row) {
    std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(row * k), k,
                padded.begin() + static_cast<std::ptrdiff_t>(row * pitch));
  }
  return ir::Tensor::of({n_padded, k_padded}, padded);
}

MmaAttempt mma_operands(const ConvOperands& operands, const ir::QuantParams& y, bool truncates) {
  MmaOperands mma;
  for (std::size_t c = 0; c < operands.bias.size(); ++c) {
    const double exact = static_cast<double>(operands.acc_scale[c]) / y.scale.at(0);
    const auto multiplier = target::nearest_multiplier(exact);
    if (!multiplier) {
      return {std::nullopt,
              fmt::format("multiplier {} of channel {} is outside of [2^-31, 255]", exact, c)};
    }
    const double offset = target::mma_offset(*multiplier, y.zero_point.at(0), truncates);
    // One rounding for bias and offset: preset quantc chose the bias so that it loses nothing.
    const double wanted = operands.bias[c] + offset / multiplier->value();
    const double bias = std::nearbyint(wanted) - input_zero_point_part(operands, c);
    if (!(accumulator_reach(operands, c, bias) <= kInt32Max)) {
      return {std::nullopt, fmt::format("sums of channel {} leave int32 with the zero point", c)};
    }
    mma.bias.push_back(static_cast<std::int32_t>(bias));
    mma.scale.push_back(multiplier->scale);
    mma.shift.push_back(multiplier->shift);
    mma.error.multiplier = std::max(mma.error.multiplier, relative_error(*multiplier, exact));
    mma.error.bias += rounding_error(wanted) * exact / static_cast<double>(operands.bias.size());
  }
  return {std::move(mma), ""};
}

}  // namespace quantc::lower
