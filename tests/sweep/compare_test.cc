// The comparator must see every way in which an output can be wrong (nncase#388: NaN similarity
// passed; nncase#1110: cosine 1 for a scaled output).
#include "sweep/compare.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace quantc::sweep {
namespace {

std::vector<float> reference() {
  std::mt19937 generator(7);
  std::vector<float> values(1000);
  for (float& value : values) {
    value = static_cast<float>(generator()) * 0x1p-28F - 8.0F;
  }
  return values;
}

std::vector<float> scaled(float factor) {
  std::vector<float> values = reference();
  for (float& value : values) value *= factor;
  return values;
}

std::vector<float> with(std::size_t index, float value) {
  std::vector<float> values = reference();
  values[index] = value;
  return values;
}

struct Row {
  const char* what;
  std::vector<float> output;
  const char* fault;  // a part of the reason
};

TEST(Compare, EveryWrongOutputFails) {
  const Row rows[] = {
      {"zeros", std::vector<float>(1000, 0.0F), "all zero"},
      {"constant", std::vector<float>(1000, 3.0F), "constant"},
      {"NaN", with(5, std::numeric_limits<float>::quiet_NaN()), "not finite"},
      {"infinity", with(5, std::numeric_limits<float>::infinity()), "not finite"},
      {"doubled", scaled(2), "SQNR"},
      {"negated", scaled(-1), "SQNR"},
      {"one element far off", with(17, reference()[17] + 500), "SQNR"},
      {"short", std::vector<float>(999, 1.0F), "expected 1000 values, found 999"},
      {"empty", {}, "expected 1000 values, found 0"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(network_fault(compare(reference(), row.output)), testing::HasSubstr(row.fault))
        << row.what;
  }
}

TEST(Compare, TheReferenceItselfPasses) {
  const Comparison comparison = compare(reference(), reference());
  EXPECT_EQ(network_fault(comparison), "");
  EXPECT_TRUE(std::isinf(comparison.sqnr_db));
  EXPECT_EQ(comparison.max_diff, 0);
}

TEST(Compare, EmptyAgainstEmptyFails) {
  EXPECT_EQ(network_fault(compare({}, {})), "output is degenerate: empty");
}

TEST(Compare, ZerosAgainstZerosFail) {
  const std::vector<float> zeros(10, 0.0F);
  EXPECT_EQ(network_fault(compare(zeros, zeros)), "output is degenerate: all zero");
}

TEST(Compare, KnownFigures) {
  // Signal 9 + 16, noise 1: 10 log10(25) = 13.979 dB; cosine (9 + 12) / (5 sqrt(18)).
  const std::vector<float> r = {3, 4};
  const std::vector<float> y = {3, 3};
  const std::vector<float> distinct = {3, 3.0000005F};
  const Comparison comparison = compare(r, distinct);
  EXPECT_NEAR(comparison.sqnr_db, 13.979, 1e-3);
  EXPECT_NEAR(comparison.cosine, 21.0 / (5 * std::sqrt(18.0)), 1e-6);
  EXPECT_NEAR(comparison.max_diff, 1.0, 1e-6);
  EXPECT_EQ(comparison.reference_top1, 1);
  EXPECT_NEAR(comparison.reference_margin, 1.0, 1e-6);
  EXPECT_EQ(compare(r, y).degenerate, "constant");
}

TEST(Compare, TiesGoToTheLowestIndex) {
  const std::vector<float> tied = {1, 5, 5, 2};
  EXPECT_EQ(top1(tied), 1);
}

}  // namespace
}  // namespace quantc::sweep
