// Pools that other compilers got wrong, with results worked out by hand, and what is refused.
#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include "qc_kernels.h"
#include "tensors.h"

namespace quantc::runtime {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

struct Windows {
  std::vector<std::int32_t> begin, end, divisor;
};

struct AvgPool {
  std::int32_t size = 0;  ///< Of a square image of one channel.
  Windows windows;        ///< Of both dimensions.
  std::int32_t zero_point = 0;
  float scale = 1;
};

qc_avg_pool_params params_of(const AvgPool& pool) {
  const auto out = static_cast<std::int32_t>(pool.windows.begin.size());
  const Windows& w = pool.windows;
  return {.x = nhwc({1, 1, pool.size, pool.size}),
          .y = nhwc({1, 1, out, out}),
          .begin_h = w.begin.data(),
          .end_h = w.end.data(),
          .divisor_h = w.divisor.data(),
          .begin_w = w.begin.data(),
          .end_w = w.end.data(),
          .divisor_w = w.divisor.data(),
          .x_zero_point = pool.zero_point,
          .scale = pool.scale};
}

std::vector<int> pool_i8(const AvgPool& pool, const std::vector<std::int8_t>& x) {
  const qc_avg_pool_params p = params_of(pool);
  const qc_requant out = {pool.zero_point, -128, 127};
  std::vector<std::int8_t> y(pool.windows.begin.size() * pool.windows.begin.size());
  EXPECT_EQ(qc_avg_pool_i8(&p, &out, x.data(), y.data()), QC_OK);
  return {y.begin(), y.end()};
}

std::vector<float> pool_f32(const AvgPool& pool, const std::vector<std::int8_t>& x) {
  const qc_avg_pool_params p = params_of(pool);
  std::vector<float> y(pool.windows.begin.size() * pool.windows.begin.size());
  EXPECT_EQ(qc_avg_pool_i8_f32(&p, x.data(), y.data()), QC_OK);
  return y;
}

// microsoft/onnxruntime#27375: 2x2 windows at stride 1 with one row and column of padding at the
// end, an image of real 8. Padding is real 0, whatever the zero point.
Windows counted() { return {{0, 1}, {2, 2}, {2, 2}}; }
Windows not_counted() { return {{0, 1}, {2, 2}, {2, 1}}; }

TEST(AvgPool, PaddingCounts) {
  EXPECT_THAT(pool_i8({2, counted(), 0}, {8, 8, 8, 8}), ElementsAre(8, 4, 4, 2));
  EXPECT_THAT(pool_i8({2, counted(), -128}, {-120, -120, -120, -120}),
              ElementsAre(-120, -124, -124, -126));
}

TEST(AvgPool, PaddingDoesNotCount) {
  EXPECT_THAT(pool_i8({2, not_counted(), 0}, {8, 8, 8, 8}), ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(pool_i8({2, not_counted(), -128}, {-120, -120, -120, -120}),
              ElementsAre(-120, -120, -120, -120));
}

// pytorch/pytorch#183528: 1..16, 3x3 windows at stride 2, padding 1, ceil mode. The last window
// ends beyond the padding and counts only what lies inside of it.
std::vector<std::int8_t> counted_image() {
  std::vector<std::int8_t> x(16);
  std::iota(x.begin(), x.end(), std::int8_t{1});
  return x;
}

TEST(AvgPool, CeilModeWithCountedPadding) {
  const Windows windows = {{0, 1, 3}, {2, 4, 4}, {3, 3, 2}};
  EXPECT_THAT(pool_f32({4, windows}, counted_image()),
              Pointwise(FloatNear(1e-4F),
                        {1.5556F, 3.3333F, 2.0F, 6.3333F, 11.0F, 6.0F, 4.5F, 7.5F, 4.0F}));
}

TEST(AvgPool, CeilModeWithoutPadding) {
  const Windows windows = {{0, 1, 3}, {2, 4, 4}, {2, 3, 1}};
  EXPECT_THAT(pool_f32({4, windows}, counted_image()),
              ElementsAre(3.5F, 5.0F, 6.0F, 9.5F, 11.0F, 12.0F, 13.5F, 15.0F, 16.0F));
}

TEST(AvgPool, RoundsTiesToEven) {
  const Windows windows = {{0}, {2}, {2}};
  EXPECT_THAT(pool_i8({2, windows}, {1, 1, 0, 0}), ElementsAre(0));      // 0.5
  EXPECT_THAT(pool_i8({2, windows}, {2, 2, 2, 0}), ElementsAre(2));      // 1.5
  EXPECT_THAT(pool_i8({2, windows}, {-2, -2, -2, 0}), ElementsAre(-2));  // -1.5
}

TEST(AvgPool, RefusesWindowsAndParameters) {
  const AvgPool pool = {2, counted()};
  const std::vector<std::int8_t> x(4, 8);
  const auto run = [&](void (*spoil)(qc_avg_pool_params&, qc_requant&, Windows&)) {
    Windows windows = pool.windows;
    qc_requant out = {0, -128, 127};
    qc_avg_pool_params p = params_of(pool);
    p.begin_h = windows.begin.data();
    p.end_h = windows.end.data();
    p.divisor_h = windows.divisor.data();
    spoil(p, out, windows);
    std::array<std::int8_t, 4> y{};
    return qc_avg_pool_i8(&p, &out, x.data(), y.data());
  };
  EXPECT_EQ(run([](auto&, auto&, auto&) {}), QC_OK);
  EXPECT_EQ(run([](auto&, auto&, auto& w) { w.begin[1] = -1; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto&, auto&, auto& w) { w.end[1] = 3; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto&, auto&, auto& w) { w.end[1] = 0; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto&, auto&, auto& w) { w.divisor[0] = 0; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p, auto&, auto&) { p.y.c = 2; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p, auto&, auto&) { p.x.n = 2; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto&, auto&, auto& w) { w.divisor[0] = 2'000'000'000; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p, auto&, auto&) { p.scale = 0; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p, auto&, auto&) { p.x_zero_point = 128; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto&, auto& out, auto&) { out.lo = -129; }), QC_ERR_PARAMETER);
}

// ---- Max pooling ----

qc_max_pool_params max_pool(std::int32_t x, std::int32_t y, std::int32_t kernel,
                            std::int32_t stride, std::int32_t padding) {
  return {.x = nhwc({1, 1, 1, x}),
          .y = nhwc({1, 1, 1, y}),
          .kernel_h = 1,
          .kernel_w = kernel,
          .stride_h = 1,
          .stride_w = stride,
          .pad_top = 0,
          .pad_left = padding,
          .dilation_h = 1,
          .dilation_w = 1};
}

// onnx/onnx#4958: PyTorch drops a window that lies wholly in the padding, so there is one output.
TEST(MaxPool, LastWindowInTheImage) {
  const std::array<std::int8_t, 2> x = {5, 7};
  std::int8_t y = 0;
  const qc_max_pool_params p = max_pool(2, 1, 2, 3, 1);
  ASSERT_EQ(qc_max_pool_i8(&p, x.data(), &y), QC_OK);
  EXPECT_EQ(y, 5);
}

TEST(MaxPool, RefusesAWindowOutsideOfTheImage) {
  const std::array<std::int8_t, 2> x = {5, 7};
  std::array<std::int8_t, 2> y = {};
  const qc_max_pool_params p = max_pool(2, 2, 2, 3, 1);
  EXPECT_EQ(qc_max_pool_i8(&p, x.data(), y.data()), QC_ERR_SHAPE);
}

TEST(MaxPool, PaddingNeverWins) {
  const std::array<std::int8_t, 2> x = {-128, -127};
  std::array<std::int8_t, 2> y = {};
  const qc_max_pool_params p = max_pool(2, 2, 2, 1, 1);
  ASSERT_EQ(qc_max_pool_i8(&p, x.data(), y.data()), QC_OK);
  EXPECT_THAT(y, ElementsAre(-128, -127));
}

TEST(MaxPool, RefusesParameters) {
  const std::array<std::int8_t, 2> x = {5, 7};
  std::int8_t y = 0;
  const auto run = [&](void (*spoil)(qc_max_pool_params&)) {
    qc_max_pool_params p = max_pool(2, 1, 2, 1, 0);
    spoil(p);
    return qc_max_pool_i8(&p, x.data(), &y);
  };
  EXPECT_EQ(run([](auto&) {}), QC_OK);
  EXPECT_EQ(run([](auto& p) { p.y.c = 2; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p) { p.x.w = 0; }), QC_ERR_SHAPE);
  EXPECT_EQ(run([](auto& p) { p.kernel_h = 0; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.stride_w = 0; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.dilation_h = 0; }), QC_ERR_PARAMETER);
  EXPECT_EQ(run([](auto& p) { p.pad_left = -1; }), QC_ERR_PARAMETER);
}

}  // namespace
}  // namespace quantc::runtime
