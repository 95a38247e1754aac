// PT2E's numbers: what torchao's observers give for the same data, exactly.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ir/quant_math.h"
#include "quantize/observer.h"
#include "quantize/range_search.h"
#include "quantize/weights.h"

namespace quantc::quantize {
namespace {

nlohmann::json golden() {
  std::ifstream file("tests/data/quantize/golden_quant.json");
  return nlohmann::json::parse(file);
}

ObserverKind kind_of(const std::string& observer) {
  return observer == "HistogramObserver" ? ObserverKind::kHistogram : ObserverKind::kMinMax;
}

TEST(Golden, ObserversGiveTorchaosScales) {
  const nlohmann::json data = golden();
  ASSERT_EQ(data.at("observers").size(), 20U);
  for (const auto& row : data.at("observers")) {
    SCOPED_TRACE(row.dump());
    const auto observer = make_observer(kind_of(row.at("observer")));
    for (const auto& batch : data.at("batches_" + row.at("kind").get<std::string>())) {
      observer->observe(batch.get<std::vector<float>>());
    }
    Scheme scheme{.symmetric = row.at("qscheme") == "per_tensor_symmetric",
                  .qmin = row.at("qmin"),
                  .qmax = row.at("qmax")};
    if (!row.at("eps").is_null()) scheme.eps = row.at("eps").get<float>();
    const ir::QuantParams params = params_of(observer->range(), scheme);
    EXPECT_EQ(params.scale[0], row.at("scale").get<float>());
    EXPECT_EQ(params.zero_point[0], row.at("zp").get<std::int32_t>());
  }
}

nlohmann::json entropy_golden() {
  std::ifstream file("tests/data/quantize/golden_entropy.json");
  return nlohmann::json::parse(file);
}

TEST(Golden, EntropyKeepsAsManyBinsAsNvidiasOptimizer) {
  const nlohmann::json rows = entropy_golden();
  ASSERT_EQ(rows.size(), 12U);
  for (const auto& row : rows) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const auto counts = row.at("counts").get<std::vector<double>>();
    EXPECT_EQ(least_divergence_bins(counts, row.at("levels")), row.at("kept"));
  }
}

TEST(Golden, EntropyCutsOutliersOfBothSigns) {
  std::vector<float> values(20000);  // exponentially distributed, and one far out
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = -std::log1p(-static_cast<float>(i) / static_cast<float>(values.size()));
  }
  values.push_back(30);
  for (const float sign : {1.0F, -1.0F}) {
    std::vector<float> batch = values;
    for (float& value : batch) value *= sign;
    batch.push_back(-0.5F * sign);
    const auto observer = make_observer(ObserverKind::kEntropy);
    observer->observe(batch);
    const Range range = observer->range();
    EXPECT_LT(std::max(range.max, -range.min), 15);
    EXPECT_GT(std::max(range.max, -range.min), 4);
    EXPECT_NEAR(sign > 0 ? range.min : -range.max, -0.5F, 0.05F);
  }
}

TEST(Golden, RoundsTiesToEvenWithTheReciprocal) {
  const nlohmann::json row = golden().at("round");
  const ir::QuantParams params{.scale = {row.at("scale").get<float>()},
                               .zero_point = {row.at("zp").get<std::int32_t>()}};
  const auto x = row.at("x").get<std::vector<float>>();
  const auto q = row.at("q").get<std::vector<std::int32_t>>();
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(ir::quantize_value(x[i], params), q[i]);
}

TEST(Golden, PerChannelWeights) {
  const nlohmann::json data = golden();
  const auto values = data.at("w").get<std::vector<float>>();
  const ir::Tensor weight = ir::Tensor::of({4, 27}, values);
  const auto row = data.at("perchannel_-128");
  const IntegerWeights weights =
      quantize_weights(weight, {}, {.qmin = -128, .qmax = 127, .fits_bias = false});
  const auto scales = row.at("scale").get<std::vector<float>>();
  const auto codes = row.at("q").get<std::vector<int>>();
  for (std::size_t c = 0; c < scales.size(); ++c) {
    // A channel of zeros gets a usable scale instead of eps; its codes are zero either way.
    if (scales[c] > 1e-6F) {
      EXPECT_EQ(weights.params.scale[c], scales[c]);
    }
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(weights.codes.values<std::int8_t>()[i], codes[i]) << i;
  }
}

}  // namespace
}  // namespace quantc::quantize
