// Quantize, dequantize, copy, table and add on values worked out by hand, and what they refuse.
#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "qc_kernels.h"
#include "qc_round.h"
#include "tensors.h"

namespace quantc::runtime {
namespace {

using testing::ElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Ties go to the even code before the zero point is added.
TEST(Requantize, RoundsTiesToEven) {
  struct Row {
    float value;
    int code;
  };
  for (const Row& row :
       {Row{0.5F, 3}, Row{1.5F, 5}, Row{2.5F, 5}, Row{-0.5F, 3}, Row{-1.5F, 1}, Row{-2.5F, 1},
        Row{0.49999997F, 3}, Row{0.50000006F, 4}, Row{124.0F, 127}, Row{1e30F, 127},
        Row{-1e30F, -128}, Row{kInfinity, 127}, Row{-kInfinity, -128}, Row{kNan, -128}}) {
    EXPECT_EQ(qc_requantize(row.value, 3, -128, 127), row.code) << row.value;
  }
}

TEST(Requantize, ClampsToTheBounds) {
  EXPECT_EQ(qc_requantize(-3.0F, -20, -20, 44), -20);
  EXPECT_EQ(qc_requantize(100.0F, -20, -20, 44), 44);
  EXPECT_EQ(qc_requantize(63.5F, -20, -20, 44), 44);
}

struct Float {
  float value;
  qc_status status;
};

TEST(Quantize, RefusesWhatIsNotFinite) {
  for (const Float& row :
       {Float{kNan, QC_ERR_NOT_FINITE}, Float{kInfinity, QC_ERR_NOT_FINITE},
        Float{-kInfinity, QC_ERR_NOT_FINITE}, Float{std::numeric_limits<float>::max(), QC_OK}}) {
    std::vector<float> x(10, 1.0F);
    x[7] = row.value;
    std::vector<std::int8_t> y(10);
    const qc_quantize_params p = {nhwc({1, 5, 1, 2}), nhwc({1, 5, 1, 2}), 1.0F, {0, -128, 127}};
    EXPECT_EQ(qc_quantize_f32_i8(&p, x.data(), y.data()), row.status) << row.value;
  }
}

TEST(Quantize, RefusesParameters) {
  const float x = 1;
  std::int8_t y = 0;
  const auto run = [&](float inv_scale, const qc_requant& out, const Sizes& y_sizes = {}) {
    const qc_quantize_params p = {nhwc({}), nhwc(y_sizes), inv_scale, out};
    return qc_quantize_f32_i8(&p, &x, &y);
  };
  EXPECT_EQ(run(1.0F, {0, -128, 127}), QC_OK);
  EXPECT_EQ(run(0.0F, {0, -128, 127}), QC_ERR_PARAMETER);
  EXPECT_EQ(run(-1.0F, {0, -128, 127}), QC_ERR_PARAMETER);
  EXPECT_EQ(run(kInfinity, {0, -128, 127}), QC_ERR_PARAMETER);
  EXPECT_EQ(run(kNan, {0, -128, 127}), QC_ERR_PARAMETER);
  EXPECT_EQ(run(1.0F, {0, -129, 127}), QC_ERR_PARAMETER);
  EXPECT_EQ(run(1.0F, {0, -128, 127}, {1, 2, 1, 1}), QC_ERR_SHAPE);
}

TEST(Dequantize, RefusesParameters) {
  const std::int8_t x = 1;
  float y = 0;
  const auto run = [&](float scale, std::int32_t zero_point, const Sizes& y_sizes = {}) {
    const qc_dequantize_params p = {nhwc({}), nhwc(y_sizes), scale, zero_point};
    return qc_dequantize_i8_f32(&p, &x, &y);
  };
  EXPECT_EQ(run(0.5F, 3), QC_OK);
  EXPECT_EQ(y, -1.0F);
  EXPECT_EQ(run(0.0F, 3), QC_ERR_PARAMETER);
  EXPECT_EQ(run(kNan, 3), QC_ERR_PARAMETER);
  EXPECT_EQ(run(0.5F, 128), QC_ERR_PARAMETER);
  EXPECT_EQ(run(0.5F, 3, {1, 1, 2, 1}), QC_ERR_SHAPE);
}

TEST(CopyAndLut, RefuseUnequalSizes) {
  const std::vector<std::int8_t> x = {1, 2};
  const std::vector<std::int8_t> table(256);
  std::vector<std::int8_t> y(2);
  const qc_copy_params copy = {nhwc({1, 2, 1, 1}), nhwc({1, 1, 2, 1})};
  EXPECT_EQ(qc_copy_i8(&copy, x.data(), y.data()), QC_ERR_SHAPE);
  const qc_lut_params lut = {nhwc({1, 2, 1, 1}), nhwc({1, 1, 2, 1})};
  EXPECT_EQ(qc_lut_i8(&lut, x.data(), table.data(), y.data()), QC_ERR_SHAPE);
}

TEST(Lut, ReachesBothEndsOfTheTable) {
  std::vector<std::int8_t> table;
  for (int code = -128; code < 128; ++code) table.push_back(static_cast<std::int8_t>(-1 - code));
  const std::vector<std::int8_t> x = {-128, -1, 0, 127};
  std::vector<std::int8_t> y(4);
  const qc_lut_params p = {nhwc({1, 4, 1, 1}), nhwc({1, 4, 1, 1})};
  ASSERT_EQ(qc_lut_i8(&p, x.data(), table.data(), y.data()), QC_OK);
  EXPECT_THAT(y, ElementsAre(127, 0, -1, -128));
}

// A copy of several tensors into the channels of one: each leaves the others alone.
TEST(Copy, ConcatenatesChannels) {
  const Sizes whole = {2, 5, 1, 2};
  std::vector<std::int8_t> y(whole.elements(), 99);
  const auto copy_to = [&](std::int32_t first, std::int32_t channels, std::int8_t value) {
    const std::vector<std::int8_t> x(Sizes{2, channels, 1, 2}.elements(), value);
    qc_copy_params p = {planar({2, channels, 1, 2}), nhwc(whole)};
    p.y.c = channels;
    EXPECT_EQ(qc_copy_i8(&p, x.data(), y.data() + first), QC_OK);
  };
  copy_to(0, 2, 1);
  copy_to(3, 2, 3);
  copy_to(2, 1, 2);
  EXPECT_THAT(y, ElementsAre(1, 1, 2, 3, 3, 1, 1, 2, 3, 3, 1, 1, 2, 3, 3, 1, 1, 2, 3, 3));
}

// pytorch/pytorch#64660: [1,2,3] of scale 0.03 and [10,20] of scale 0.2 give [11,21] [12,22]
// [13,23], here at scale 0.2: 55 105, 60 110, 65 115. One input code is 1/30 and 1/10 off.
TEST(Add, BroadcastsBothOperands) {
  const Sizes sizes = {1, 3, 1, 2};
  const std::vector<std::int8_t> a = {33, 67, 100};  // 0.99, 2.01, 3.00
  const std::vector<std::int8_t> b = {50, 100};
  std::vector<std::int8_t> y(6);
  const qc_add_params p = {.a = broadcast(nhwc({1, 3, 1, 1}), sizes),
                           .b = broadcast(nhwc({1, 1, 1, 2}), sizes),
                           .y = planar(sizes),
                           .a_scale = 0.03F,
                           .b_scale = 0.2F,
                           .inv_scale = 5.0F,
                           .out = {0, -128, 127}};
  ASSERT_EQ(qc_add_i8(&p, a.data(), b.data(), y.data()), QC_OK);
  EXPECT_THAT(y, ElementsAre(55, 105, 60, 110, 65, 115));
}

TEST(Add, OfATensorToItselfDoubles) {
  const std::vector<std::int8_t> x = {-64, -1, 0, 5, 63};
  std::vector<std::int8_t> y(5);
  const qc_layout layout = nhwc({1, 5, 1, 1});
  const qc_add_params p = {.a = layout,
                           .b = layout,
                           .y = layout,
                           .a_scale = 0.1F,
                           .b_scale = 0.1F,
                           .inv_scale = 10.0F,
                           .out = {0, -128, 127}};
  ASSERT_EQ(qc_add_i8(&p, x.data(), x.data(), y.data()), QC_OK);
  EXPECT_THAT(y, ElementsAre(-128, -2, 0, 10, 126));
}

TEST(Add, RefusesParameters) {
  const std::array<std::int8_t, 2> x = {1, 2};
  std::array<std::int8_t, 2> y = {};
  const auto run = [&](void (*spoil)(qc_add_params&)) {
    const qc_layout layout = nhwc({1, 2, 1, 1});
    qc_add_params p = {.a = layout,
                       .b = layout,
                       .y = layout,
                       .a_scale = 1,
                       .b_scale = 1,
                       .inv_scale = 1,
                       .out = {0, -128, 127}};
    spoil(p);
    return qc_add_i8(&p, x.data(), x.data(), y.data());
  };
  EXPECT_EQ(run([](auto&) {}), QC_OK);
  EXPECT_EQ(run([](auto& p) { p.a.c = 1; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p) { p.b.w = 2; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p) { p.y.c_stride = 0; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p) { p.a_scale = 0; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.b_scale = kNan; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.inv_scale = kInfinity; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.a_zero_point = 200; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.b_zero_point = -200; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.out.lo = 128; }), QC_ERR_PARAMETER);
}

}  // namespace
}  // namespace quantc::runtime
