// What check_weights reports of the shipped checkpoint and of changed copies.
#include "frontend/zoo/weights_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"

namespace quantc::frontend {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr const char* kShippedModel = "data/models/squeezenet1_1.safetensors";

ir::Tensor numbers(const ir::Shape& shape, float value) {
  return ir::Tensor::of(
      shape, std::vector<float>(static_cast<std::size_t>(ir::element_count(shape)), value));
}

// A checkpoint of mnasnet0_5 without versions, all ones, after `change`.
WeightsReport report_of(const std::function<void(NamedTensors&)>& change) {
  const ModelInfo& model = find_model("mnasnet0_5");
  NamedTensors tensors;
  for (const ExpectedTensor& tensor : expected_tensors(model)) {
    tensors.emplace_back(tensor.key, numbers(tensor.shape, 1));
  }
  change(tensors);
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / "weights_check.safetensors";
  write_safetensors(file, tensors, {});
  return check_weights(model, file);
}

TEST(CheckWeights, ShippedModelFits) {
  const WeightsReport report = check_weights(find_model("squeezenet1_1"), kShippedModel);
  EXPECT_TRUE(report.fits());
  EXPECT_EQ(report.format, "safetensors");
  EXPECT_EQ(report.parameters, 1235496);
  EXPECT_THAT(report.dtypes, UnorderedElementsAre(Pair("f16", 52)));
  EXPECT_THAT(report.rules, IsEmpty());
}

TEST(CheckWeights, AnotherNetworkDoesNotFit) {
  const WeightsReport report = check_weights(find_model("squeezenet1_0"), kShippedModel);
  EXPECT_FALSE(report.fits());
  ASSERT_FALSE(report.misshaped.empty());
  EXPECT_EQ(report.misshaped[0].key, "features.0.weight");
  EXPECT_EQ(report.misshaped[0].expected, (ir::Shape{96, 3, 7, 7}));
  EXPECT_EQ(report.misshaped[0].found, (ir::Shape{64, 3, 3, 3}));
}

TEST(CheckWeights, ListsWhatDiffers) {
  EXPECT_TRUE(report_of([](NamedTensors&) {}).fits());
  const WeightsReport report = report_of([](NamedTensors& tensors) {
    std::erase_if(tensors, [](const auto& entry) { return entry.first == "classifier.1.bias"; });
    tensors.emplace_back("more", numbers({2, 3}, 1));
    tensors.emplace_back("layers.1.num_batches_tracked", numbers({1}, 1));
  });
  EXPECT_FALSE(report.fits());
  ASSERT_EQ(report.missing.size(), 1);
  EXPECT_EQ(report.missing[0].key, "classifier.1.bias");
  ASSERT_EQ(report.unexpected.size(), 1);
  EXPECT_EQ(report.unexpected[0].key, "more");
  EXPECT_EQ(report.unexpected[0].shape, (ir::Shape{2, 3}));
  EXPECT_THAT(report.misshaped, IsEmpty());
}

TEST(CheckWeights, FindsNumbersThatAreNone) {
  const WeightsReport report = report_of(
      [](NamedTensors& tensors) { tensors.back().second = numbers({1000}, std::nanf("")); });
  EXPECT_FALSE(report.fits());
  EXPECT_THAT(report.refusal, HasSubstr("classifier.1.bias[0] is nan"));
}

TEST(CheckWeights, TwoNamesOfOneTensorDoNotFit) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / "weights_check.safetensors";
  write_safetensors(file, {{"l.norm.1.bias", numbers({1}, 1)}, {"l.norm1.bias", numbers({1}, 1)}},
                    {});
  const WeightsReport report = check_weights(find_model("densenet121"), file);
  EXPECT_FALSE(report.fits());
  EXPECT_THAT(report.refusal, HasSubstr("expected one of these names"));
}

TEST(CheckWeights, RefusesWhatIsNoCheckpoint) {
  EXPECT_THROW(check_weights(find_model("squeezenet1_1"), "README.md"), InputError);
}

}  // namespace
}  // namespace quantc::frontend
