// Synthetic weights: the documented generator, and activations that neither explode nor die.
#include "frontend/zoo/weight_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "frontend/zoo/model_table.h"
#include "reference/executor.h"

namespace quantc::frontend {
namespace {

using ::testing::ElementsAre;

std::vector<float> values_of(const ir::Tensor& tensor) {
  const auto values = tensor.values<float>();
  return {values.begin(), values.end()};
}

std::vector<float> synthetic(std::uint64_t seed, const std::string& key, const ir::Shape& shape,
                             ParameterRole role) {
  return values_of(SyntheticWeights(seed).get(key, shape, role));
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments_of(std::span<const float> values) {
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto count = static_cast<double>(values.size());
  return {sum / count, std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)))};
}

// Expected: a Python program with exact integers, its SplitMix64 and FNV-1a checked with their
// published test vectors.
TEST(SyntheticWeights, AreTheSameEverywhere) {
  const std::vector<float> weights =
      synthetic(7, "conv1.weight", {1, 3, 2, 2}, ParameterRole::kWeight);
  EXPECT_THAT(std::vector<float>(weights.begin(), weights.begin() + 4),
              ElementsAre(-0.459716796875F, -0.9588775634765625F, 0.27069854736328125F,
                          0.17850494384765625F));
  EXPECT_THAT(synthetic(7, "bn1.running_var", {3}, ParameterRole::kRunningVar),
              ElementsAre(1.1746472120285034F, 1.1313942670822144F, 0.9627566337585449F));
  EXPECT_THAT(synthetic(7, "bn2.weight", {3}, ParameterRole::kResidualScale),
              ElementsAre(0.25599759817123413F, 0.23850728571414948F, 0.3392435610294342F));
}

TEST(SyntheticWeights, HaveTheDistributionOfTheirRole) {
  const double uniform = 0.4 / std::sqrt(12.0);
  struct Case {
    ParameterRole role;
    ir::Shape shape;
    Moments expected;
  };
  const std::vector<Case> cases = {
      {ParameterRole::kWeight, {500, 50, 2, 2}, {0.0, std::sqrt(2.0 / 200)}},
      {ParameterRole::kWeight, {100, 1000}, {0.0, std::sqrt(2.0 / 1000)}},
      {ParameterRole::kBias, {100000}, {0.0, 0.02}},
      {ParameterRole::kNormBias, {100000}, {0.0, 0.02}},
      {ParameterRole::kRunningMean, {100000}, {0.0, 0.02}},
      {ParameterRole::kNormWeight, {100000}, {1.0, uniform}},
      {ParameterRole::kRunningVar, {100000}, {1.0, uniform}},
      {ParameterRole::kResidualScale, {100000}, {0.3, uniform / 2}},
      {ParameterRole::kAttentionWeight, {100, 1000}, {0.0, std::sqrt(1.0 / 1000)}},
      {ParameterRole::kEmbedding, {1, 100000}, {0.0, 0.5}},
      {ParameterRole::kLogScale, {100000, 1, 1}, {2.3, uniform * 1.5}}};
  for (const Case& row : cases) {
    const Moments found = moments_of(synthetic(1, "key", row.shape, row.role));
    // 100000 samples: five standard errors of the mean.
    EXPECT_NEAR(found.mean, row.expected.mean, 5 * row.expected.deviation / std::sqrt(1e5));
    EXPECT_NEAR(found.deviation, row.expected.deviation, 0.02 * row.expected.deviation);
  }
}

TEST(SyntheticWeights, DependOnSeedAndKeyAlone) {
  const auto a = synthetic(1, "a", {8}, ParameterRole::kWeight);
  SyntheticWeights weights(1);
  weights.get("b", {100}, ParameterRole::kWeight);
  EXPECT_EQ(values_of(weights.get("a", {8}, ParameterRole::kWeight)), a);
  EXPECT_NE(synthetic(1, "b", {8}, ParameterRole::kWeight), a);
  EXPECT_NE(synthetic(2, "a", {8}, ParameterRole::kWeight), a);
}

TEST(SyntheticWeights, KeepActivationsAlive) {
  for (const char* name :
       {"resnet34", "mobilenet_v2", "squeezenet1_1", "densenet121", "efficientnet_b0", "googlenet",
        "mnasnet0_5", "mobilenet_v3_small", "regnet_y_400mf", "shufflenet_v2_x0_5"}) {
    SyntheticWeights weights(1);
    const ir::Graph graph = build_model(find_model(name), weights, 64);
    // Of deviation 1, as normalized pictures: a fan_in of 2.
    const ir::Tensor image = SyntheticWeights(2)
                                 .get("image", {3 * 64 * 32, 2}, ParameterRole::kWeight)
                                 .reshaped({1, 3, 64, 64});
    reference::execute(graph, {image}, [&](ir::ValueId id, const ir::Tensor& tensor) {
      if (id == graph.inputs.at(0)) return;
      const Moments moments = moments_of(tensor.values<float>());
      EXPECT_GT(moments.deviation, 0.002) << name << " " << graph.value(id).name;
      EXPECT_LT(moments.deviation, 100) << name << " " << graph.value(id).name;
    });
  }
}

}  // namespace
}  // namespace quantc::frontend
