// Fixed-point multipliers against every pair of scale and shift.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "target/mmalib.h"

namespace quantc::target {
namespace {

// Every value scale / 2^shift with scale in [1, 255] and shift in [0, 31], in order.
std::vector<double> every_value() {
  std::vector<double> values;
  for (int scale = 1; scale <= 255; ++scale) {
    double value = scale;
    for (int shift = 0; shift <= 31; ++shift, value /= 2) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Reals of every magnitude that has a multiplier, values in the middle of two neighbours, and the
// smallest step beside each.
std::vector<double> samples(const std::vector<double>& values) {
  std::vector<double> all = values;
  for (std::size_t i = 1; i < values.size(); ++i) all.push_back((values[i - 1] + values[i]) / 2);
  const std::size_t exact = all.size();
  for (std::size_t i = 0; i < exact; ++i) {
    all.push_back(std::nextafter(all[i], 0));
    all.push_back(std::nextafter(all[i], 256));
  }
  std::mt19937 generator(7);
  for (int i = 0; i < 20000; ++i) {
    const double mantissa = 1 + generator() * 0x1p-32;
    all.push_back(std::ldexp(mantissa, static_cast<int>(generator() % 39) - 31));
  }
  std::erase_if(all, [](double m) { return m < 0x1p-31 || m > 255; });
  return all;
}

TEST(MmaMultiplier, NearestIsNearestOfAll) {
  const std::vector<double> values = every_value();
  for (const double m : samples(values)) {
    const auto found = nearest_multiplier(m);
    ASSERT_TRUE(found) << m;
    const auto above = std::lower_bound(values.begin(), values.end(), m);
    double best = std::numeric_limits<double>::infinity();
    if (above != values.end()) best = *above - m;
    if (above != values.begin()) best = std::min(best, m - *(above - 1));
    ASSERT_EQ(std::abs(found->value() - m), best) << m;
    ASSERT_GE(found->scale, 1);
    ASSERT_LE(found->shift, 31);
  }
}

TEST(MmaMultiplier, AboveIsTheSmallestThatIsNotBelow) {
  const std::vector<double> values = every_value();
  for (const double m : samples(values)) {
    const auto found = multiplier_above(m);
    ASSERT_TRUE(found) << m;
    ASSERT_EQ(found->value(), *std::lower_bound(values.begin(), values.end(), m)) << m;
    ASSERT_LE(found->shift, 31);
  }
}

TEST(MmaMultiplier, NoneOutsideOfTheRange) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double m :
       {0.0, -0.0, -1.0, std::nextafter(0x1p-31, 0.0), std::nextafter(255.0, 256.0), 1e300,
        kInfinity, -kInfinity, std::nan("")}) {
    EXPECT_FALSE(nearest_multiplier(m)) << m;
    EXPECT_FALSE(multiplier_above(m)) << m;
  }
  EXPECT_EQ(nearest_multiplier(0x1p-31), (MmaMultiplier{1, 31}));
  EXPECT_EQ(nearest_multiplier(255), (MmaMultiplier{255, 0}));
}

TEST(MmaMultiplier, OffsetIsTheZeroPointAndTheHalfThatTruncationLoses) {
  EXPECT_EQ(mma_offset({3, 4}, -7, false), -7);
  EXPECT_EQ(mma_offset({3, 4}, -7, true), -6.5);
  EXPECT_EQ(mma_offset({3, 0}, 5, true), 5);  // nothing is shifted out
}

}  // namespace
}  // namespace quantc::target
