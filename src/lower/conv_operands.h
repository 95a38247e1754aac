// The constant side of a convolution or linear layer: integer weights, bias and multipliers, taken
// out of the QDQ graph and prepared for either family of kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "lower/fusion.h"
#include "lower/program.h"
#include "target/mmalib.h"

namespace quantc::lower {

/// A linear layer is a convolution whose kernel covers its input.
struct ConvOperands {
  ir::Tensor weight;             ///< i8 [C_out, C_in/groups, kh, kw]
  std::vector<float> acc_scale;  ///< [C_out] real value of one accumulator unit: s_x * s_w[c]
  std::vector<double> bias;      ///< [C_out] in accumulator units, without zero points
  std::vector<std::int64_t> weight_sum;  ///< [C_out] sum of the codes
  std::vector<std::int64_t> weight_abs;  ///< [C_out] sum of their magnitudes
  target::ConvGeometry geometry;
  std::int32_t x_zero_point = 0;
  bool is_linear = false;

  std::int64_t c_out() const { return geometry.c_out; }
};

/// The operands of the fused convolution or linear layer. `x_shape` is the [N,C,H,W] its input has
/// in memory (a flattened image keeps its four sizes). UnsupportedError naming the layer if weights
/// are not constant int8, or a bias does not fit the accumulators.
ConvOperands conv_operands(const ir::Graph& graph, const FusedOp& fused, const ir::Shape& x_shape);

/// rne(bias[c]) - x_zero_point * sum of the weights, checked to leave room for every product.
std::vector<std::int32_t> folded_bias(const ConvOperands& operands, const std::string& layer);

/// Mean over the channels of what rounding the bias to accumulator units changes, in codes of an
/// output with scale y_scale.
double mean_bias_error(const ConvOperands& operands, float y_scale);

/// acc_scale[c] / s_y in float32.
std::vector<float> multipliers(const ConvOperands& operands, float y_scale);

/// Weights as [C_out][kh][kw][C_in/groups].
ir::Tensor pack_ohwi(const ir::Tensor& weight);

/// A [N, K] matrix padded with zeros to [n_padded, k_padded].
ir::Tensor pad_matrix(const ir::Tensor& weight, std::int64_t n_padded, std::int64_t k_padded);

/// What the MMALIB kernels take per channel.
struct MmaOperands {
  std::vector<std::int32_t> bias;
  std::vector<std::uint8_t> scale;
  std::vector<std::uint8_t> shift;
  ConstantError error;
};

/// The per-channel operands with target::mma_offset folded into the bias; or why the library cannot
/// take them.
struct MmaAttempt {
  std::optional<MmaOperands> operands;
  std::string refusal;
};
MmaAttempt mma_operands(const ConvOperands& operands, const ir::QuantParams& y, bool truncates);

}  // namespace quantc::lower
