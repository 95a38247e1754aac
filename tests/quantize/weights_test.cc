// Weight scales that work: dead channels, biases too large for int32, MMALIB's multipliers.
#include "quantize/weights.h"

#include <gmock/gmock.h>

#include <cmath>

#include "target/mmalib.h"

namespace quantc::quantize {
namespace {

TEST(Weights, DeadChannelsGetAUsableScale) {  // coremltools#2853
  const ir::Tensor weight = ir::Tensor::of<float>({4, 1, 1, 1}, {0.0F, 1.0F, 1e-30F, -0.0F});
  const IntegerWeights weights = quantize_weights(weight, {}, {});
  for (const float scale : weights.params.scale) {
    EXPECT_TRUE(std::isfinite(scale));
    EXPECT_GT(scale, 0);
  }
  EXPECT_THAT(weights.codes.values<std::int8_t>(), testing::ElementsAre(0, 127, 0, 0));
}

TEST(Weights, AWholeTensorOfZeros) {
  const IntegerWeights weights =
      quantize_weights(ir::Tensor::of<float>({2, 2}, {0, 0, 0, 0}), {}, {});
  for (const float scale : weights.params.scale) EXPECT_GT(scale, 0);
}

TEST(Weights, ScalesAreRaisedUntilTheBiasFits) {  // onnxruntime#22020
  const ir::Tensor weight = ir::Tensor::of<float>({2, 1, 1, 1}, {1e-7F, 1e-7F});
  const std::vector<float> bias = {5.0F, -4.5F};
  const IntegerWeights weights = quantize_weights(weight, bias, {.x_scale = 0.01F});
  EXPECT_THAT(weights.raised, testing::ElementsAre(0, 1));
  const IntegerWeights codes =
      quantize_bias(ir::Tensor::of<float>({2}, bias), weights.params, 0.01F);
  for (std::size_t c = 0; c < 2; ++c) {
    const double real = double{codes.params.scale[c]} * codes.codes.values<std::int32_t>()[c];
    EXPECT_NEAR(real, bias[c], 1e-6);
  }
}

TEST(Weights, MmaMultipliersBecomeExact) {
  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(0.001F * static_cast<float>(1 + i * i));
  const ir::Tensor weight = ir::Tensor::of({64, 1, 1, 1}, values);
  const WeightScheme plain{.x_scale = 0.0173F, .y_scale = 0.0419F};
  WeightScheme snapped = plain;
  snapped.mma_multipliers = true;
  const IntegerWeights covering = quantize_weights(weight, {}, plain);
  const IntegerWeights exact = quantize_weights(weight, {}, snapped);
  for (std::size_t c = 0; c < 64; ++c) {
    const double m = double{snapped.x_scale} * exact.params.scale[c] / snapped.y_scale;
    const auto nearest = target::nearest_multiplier(m);
    ASSERT_TRUE(nearest.has_value());
    EXPECT_NEAR(nearest->value() / m, 1.0, 1e-6);
    EXPECT_GE(exact.params.scale[c], covering.params.scale[c] * (1 - 1e-5F));
    EXPECT_LE(exact.params.scale[c], covering.params.scale[c] * (1 + 1.0F / 127));
  }
}

// v = (acc + bias) * scale, truncated, must be what rounding half up gives for the bias that the
// reference sees: the half LSB, the zero point and the bias are rounded together.
TEST(Weights, ATruncatingKernelRoundsHalfUpWithItsBias) {
  const ir::QuantParams y{.scale = {0.05F}, .zero_point = {-7}};
  const std::vector<float> bias = {0.03F, -1.7F, 0.4F};
  // Multipliers of 3/4, 5/2^3 and 129/2^9: few accumulator units in an LSB, where halves matter.
  const ir::QuantParams weights{
      .scale = {0.0375F, 0.03125F, 0.0125976563F}, .zero_point = {0, 0, 0}, .axis = 0};
  const ir::Tensor seen = mma_bias(bias, weights, 1.0F, y, true);
  for (std::size_t c = 0; c < bias.size(); ++c) {
    const double unit = weights.scale[c];
    const auto multiplier = target::nearest_multiplier(unit / y.scale[0]);
    ASSERT_TRUE(multiplier && multiplier->shift > 0);
    const double folded = seen.values<float>()[c] / unit + (-7 + 0.5) / multiplier->value();
    EXPECT_NEAR(folded, std::nearbyint(folded), 1e-4);
    EXPECT_NEAR(seen.values<float>()[c], bias[c], unit / 2 + 1e-6);
  }
}

TEST(Multiplier, EdgesOfTheRange) {
  EXPECT_EQ(target::nearest_multiplier(0.5), (target::MmaMultiplier{128, 8}));
  EXPECT_EQ(target::nearest_multiplier(255.0), (target::MmaMultiplier{255, 0}));
  EXPECT_EQ(target::nearest_multiplier(std::ldexp(1.0, -31)), (target::MmaMultiplier{1, 31}));
  for (const double refused : {0.0, -1.0, 256.0, std::ldexp(1.0, -32), std::nan("")}) {
    EXPECT_FALSE(target::nearest_multiplier(refused).has_value()) << refused;
  }
  EXPECT_GE(target::multiplier_above(0.1)->value(), 0.1);
}

}  // namespace
}  // namespace quantc::quantize
