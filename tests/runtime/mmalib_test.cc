// The MMALIB path: rounding worked out by hand, tiling, and the limits, which must be those that
// the compiler goes by (src/target/mmalib.cc).
#include "target/mmalib.h"

#include <gmock/gmock.h>

#include <array>

#include "mmalib_emulation.h"
#include "qc_mmalib.h"
#include "tensors.h"

namespace quantc::runtime {
namespace {

using testing::ElementsAre;

constexpr qc_mma_output kHalfUp = {QC_MMA_HALF_UP, -128, 127};

// One pixel through a 1x1 convolution: the accumulator is `bias` where x is 0.
struct Channel {
  std::int32_t bias;
  std::uint8_t scale, shift;
};

std::vector<int> requantize(const std::vector<Channel>& channels, const qc_mma_output& out) {
  std::vector<std::int32_t> bias;
  std::vector<std::uint8_t> scale;
  std::vector<std::uint8_t> shift;
  for (const Channel& channel : channels) {
    bias.push_back(channel.bias);
    scale.push_back(channel.scale);
    shift.push_back(channel.shift);
  }
  const std::vector<std::int8_t> weights(channels.size(), 1);
  const std::int8_t x = 0;
  std::vector<std::int8_t> y(channels.size());
  const qc_mma_conv2d_params p = {.c_in = 1,
                                  .h_in = 1,
                                  .w_in = 1,
                                  .c_out = static_cast<std::int32_t>(channels.size()),
                                  .h_out = 1,
                                  .w_out = 1,
                                  .kernel_h = 1,
                                  .kernel_w = 1,
                                  .stride = 1,
                                  .groups = 1,
                                  .channels_per_call = 1024};
  Scratch scratch(qc_mma_conv2d_scratch_bytes(&p));
  EXPECT_EQ(qc_mma_conv2d_i8(&p, &out, &x, weights.data(), bias.data(), scale.data(), shift.data(),
                             scratch.data(), y.data()),
            QC_OK);
  return {y.begin(), y.end()};
}

// Halves: 0.5 -0.5 1.5 -1.5 2.5, then 0.75 and -0.75.
std::vector<Channel> fractions() {
  return {{1, 1, 1}, {-1, 1, 1}, {3, 1, 1}, {-3, 1, 1}, {5, 1, 1}, {1, 3, 2}, {-1, 3, 2}};
}

TEST(MmaRounding, HalfUp) {
  EXPECT_THAT(requantize(fractions(), kHalfUp), ElementsAre(1, 0, 2, -1, 3, 1, -1));
}

TEST(MmaRounding, Truncated) {
  EXPECT_THAT(requantize(fractions(), {QC_MMA_TRUNCATE, -128, 127}),
              ElementsAre(0, -1, 1, -2, 2, 0, -1));
}

TEST(MmaRounding, NoneWithoutAShift) {
  EXPECT_THAT(requantize({{7, 3, 0}, {-7, 3, 0}, {100, 255, 0}, {-100, 255, 0}}, kHalfUp),
              ElementsAre(21, -21, 127, -128));
}

// Products that do not fit 32 bits: 2^30 * 200 / 2^31 and the like.
TEST(MmaRounding, ProductsAreWide) {
  EXPECT_THAT(
      requantize({{1 << 30, 200, 31}, {-(1 << 30), 200, 31}, {2147483647, 255, 31}}, kHalfUp),
      ElementsAre(100, -100, 127));
}

TEST(MmaRounding, SaturatesToTheBounds) {
  EXPECT_THAT(
      requantize({{-40, 1, 0}, {-20, 1, 0}, {50, 1, 0}, {99, 1, 0}}, {QC_MMA_HALF_UP, -20, 60}),
      ElementsAre(-20, -20, 50, 60));
}

// ---- Geometry and tiles ----

qc_mma_conv2d_params params_of(const target::ConvGeometry& g) {
  const auto i32 = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  const ir::Padding2d& pad = g.conv.padding;
  const bool strided = g.conv.stride.h > 1;
  return {.c_in = i32(g.c_in),
          .h_in = i32(g.h_in),
          .w_in = i32(g.w_in),
          .c_out = i32(g.c_out),
          .h_out = i32(g.h_out),
          .w_out = i32(g.w_out),
          .kernel_h = i32(g.kernel.h),
          .kernel_w = i32(g.kernel.w),
          .stride = i32(g.conv.stride.h),
          .pad_top = i32(pad.top),
          .pad_left = i32(pad.left),
          .pad_bottom = i32(pad.bottom),
          .pad_right = i32(pad.right),
          .groups = i32(g.conv.groups),
          .channels_per_call = i32(strided ? target::kMmaChannelsPerCallStrided
                                           : target::kMmaChannelsPerCallStride1)};
}

struct Result {
  qc_status status;
  std::vector<std::int8_t> y;
};

// x is 2 everywhere, the weights of channel o are o % 63 + 1, scales are 1.
Result convolve(const qc_mma_conv2d_params& p, bool depthwise = false) {
  const auto count = [](std::int32_t a, std::int32_t b, std::int32_t c = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
  };
  const std::vector<std::int8_t> x(count(p.c_in, p.h_in, p.w_in), 2);
  std::vector<std::int8_t> weights(count(p.c_out, p.c_in / p.groups, p.kernel_h * p.kernel_w));
  const std::size_t filter = weights.size() / static_cast<std::size_t>(p.c_out);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<std::int8_t>(i / filter % 63 + 1);
  }
  const std::vector<std::int32_t> bias(count(p.c_out, 1), 0);
  const std::vector<std::uint8_t> scale(count(p.c_out, 1), 1);
  const std::vector<std::uint8_t> shift(count(p.c_out, 1), 0);
  Result result{QC_OK, std::vector<std::int8_t>(count(p.c_out, p.h_out, p.w_out), 0x55)};
  Scratch scratch(qc_mma_conv2d_scratch_bytes(&p));
  const auto kernel = depthwise ? qc_mma_depthwise_i8 : qc_mma_conv2d_i8;
  result.status = kernel(&p, &kHalfUp, x.data(), weights.data(), bias.data(), scale.data(),
                         shift.data(), scratch.data(), result.y.data());
  return result;
}

target::ConvGeometry pointwise(std::int64_t c_out, std::int64_t stride) {
  return {.c_in = 1,
          .h_in = 2 * stride,
          .w_in = 2 * stride,
          .c_out = c_out,
          .h_out = 2,
          .w_out = 2,
          .conv = {.stride = {stride, stride}}};
}

class MmaChannels : public testing::TestWithParam<int> {};

TEST_P(MmaChannels, AreAllWritten) {
  std::vector<std::int8_t> expected;
  for (int o = 0; o < GetParam(); ++o) {
    expected.insert(expected.end(), 4, static_cast<std::int8_t>(2 * (o % 63 + 1)));
  }
  for (const int stride : {1, 2}) {
    const Result result = convolve(params_of(pointwise(GetParam(), stride)));
    EXPECT_EQ(result.status, QC_OK) << "stride " << stride;
    EXPECT_EQ(result.y, expected) << "stride " << stride;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, MmaChannels,
                         testing::Values(1, 31, 32, 33, 512, 1023, 1024, 1025, 1280, 2048, 4097));

TEST(MmaLimits, TooManyChannelsInOneCall) {
  qc_mma_conv2d_params p = params_of(pointwise(2048, 1));
  p.channels_per_call = 2048;
  EXPECT_EQ(convolve(p).status, MMALIB_ERR_INVALID_DIMENSION);
  p = params_of(pointwise(64, 2));
  p.channels_per_call = 64;
  EXPECT_EQ(convolve(p).status, MMALIB_ERR_INVALID_DIMENSION);
}

TEST(MmaLimits, AreTheCompilers) {
  EXPECT_EQ(MMALIB_MAX_CHANNELS_STRIDE1, target::kMmaChannelsPerCallStride1);
  EXPECT_EQ(MMALIB_MAX_CHANNELS_STRIDED, target::kMmaChannelsPerCallStrided);
  EXPECT_EQ(MMALIB_FC_MULTIPLE, target::kMmaFcMultiple);
}

// The emulation takes exactly what the compiler offloads.
struct Grid {
  const char* name;
  std::int64_t c_in, c_out, groups;
};

std::ostream& operator<<(std::ostream& out, const Grid& grid) { return out << grid.name; }

class MmaGeometry : public testing::TestWithParam<Grid> {};

std::vector<target::ConvGeometry> geometries(const Grid& grid) {
  const std::vector<ir::Padding2d> paddings = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2},
                                               {3, 3, 3, 3}, {5, 5, 5, 5}, {0, 0, 1, 1},
                                               {1, 1, 0, 0}, {0, 1, 0, 0}, {2, 0, 1, 0}};
  std::vector<target::ConvGeometry> all;
  for (const std::int64_t h : {1, 2, 3, 4, 5, 7, 11}) {
    for (const std::int64_t w : {1, 3, 5, 7, 11}) {
      for (const std::int64_t stride : {1, 2, 3, 4}) {
        for (const ir::Padding2d& pad : paddings) {
          for (const std::int64_t size : {11, 13}) {
            all.push_back({.c_in = grid.c_in,
                           .h_in = size,
                           .w_in = 12,
                           .c_out = grid.c_out,
                           .h_out = (size + pad.top + pad.bottom - h) / stride + 1,
                           .w_out = (12 + pad.left + pad.right - w) / stride + 1,
                           .kernel = {h, w},
                           .conv = {{stride, stride}, pad, {1, 1}, grid.groups}});
          }
        }
      }
    }
  }
  return all;
}

TEST_P(MmaGeometry, IsTakenIfTheCompilerOffloadsIt) {
  int taken = 0;
  int refused = 0;
  for (const target::ConvGeometry& g : geometries(GetParam())) {
    const auto refusal = target::mma_refusal(g);
    const qc_status status = convolve(params_of(g), g.depthwise()).status;
    EXPECT_EQ(status != QC_OK, refusal.has_value())
        << "status " << status << ", compiler: " << refusal.value_or("offloads") << ", height "
        << g.h_in << " padding " << g.conv.padding.top << g.conv.padding.left
        << g.conv.padding.bottom << g.conv.padding.right;
    ++(status == QC_OK ? taken : refused);
  }
  EXPECT_GT(taken, 20);
  EXPECT_GT(refused, 20);
}

INSTANTIATE_TEST_SUITE_P(Grids, MmaGeometry,
                         testing::Values(Grid{"Dense", 2, 34, 1}, Grid{"Grouped", 4, 6, 2},
                                         Grid{"Depthwise", 2, 2, 2}),
                         [](const auto& row) { return row.param.name; });

// The geometries that the real library refused: AlexNet's first layer, Inception's second.
TEST(MmaLimits, GeometriesKnownToFail) {
  const target::ConvGeometry alexnet = {.c_in = 3,
                                        .h_in = 224,
                                        .w_in = 224,
                                        .c_out = 64,
                                        .h_out = 55,
                                        .w_out = 55,
                                        .kernel = {11, 11},
                                        .conv = {{4, 4}, {2, 2, 2, 2}, {1, 1}, 1}};
  EXPECT_EQ(convolve(params_of(alexnet)).status, MMALIB_ERR_INVALID_DIMENSION);
  const target::ConvGeometry inception = {.c_in = 32,
                                          .h_in = 149,
                                          .w_in = 149,
                                          .c_out = 32,
                                          .h_out = 147,
                                          .w_out = 147,
                                          .kernel = {3, 3}};
  EXPECT_EQ(convolve(params_of(inception)).status, MMALIB_ERR_INVALID_DIMENSION);
}

struct Refusal {
  const char* name;
  void (*spoil)(qc_mma_conv2d_params& p);
  qc_status status;
};

// For the name of a failing row.
std::ostream& operator<<(std::ostream& out, const Refusal& row) { return out << row.name; }

class MmaRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(MmaRefusal, IsAStatus) {
  qc_mma_conv2d_params p = {.c_in = 4,
                            .h_in = 4,
                            .w_in = 4,
                            .c_out = 4,
                            .h_out = 4,
                            .w_out = 4,
                            .kernel_h = 3,
                            .kernel_w = 3,
                            .stride = 1,
                            .pad_top = 1,
                            .pad_left = 1,
                            .pad_bottom = 1,
                            .pad_right = 1,
                            .groups = 1,
                            .channels_per_call = 1024};
  ASSERT_EQ(convolve(p).status, QC_OK);
  GetParam().spoil(p);
  EXPECT_EQ(convolve(p).status, GetParam().status);
}

constexpr std::array kRefusals = {
    Refusal{"Groups", [](auto& p) { p.groups = 3; }, QC_ERR_PARAMETER},
    Refusal{"ChannelsPerCall", [](auto& p) { p.channels_per_call = 0; }, QC_ERR_PARAMETER},
    Refusal{"OutputHeight", [](auto& p) { p.h_out = 3; }, MMALIB_ERR_INVALID_DIMENSION},
    Refusal{"OutputWidth", [](auto& p) { p.w_out = 5; }, MMALIB_ERR_INVALID_DIMENSION},
    Refusal{"NegativePadding",
            [](auto& p) {
              p.pad_top = -1;
              p.pad_bottom = 3;
            },
            MMALIB_ERR_INVALID_DIMENSION},
    Refusal{"PadFill", [](auto& p) { p.pad_fill = 128; }, MMALIB_ERR_INVALID_VALUE},
};

INSTANTIATE_TEST_SUITE_P(Rows, MmaRefusal, testing::ValuesIn(kRefusals),
                         [](const auto& row) { return row.param.name; });

// ---- Fully connected ----

qc_status run_fc(const qc_mma_fc_params& p, const qc_mma_output& out, std::uint8_t scale,
                 std::uint8_t shift) {
  const std::vector<std::int8_t> x(64, 1);
  const std::vector<std::int8_t> weights(4096, 1);
  const std::vector<std::int32_t> bias(64, 0);
  const std::vector<std::uint8_t> scales(64, scale);
  const std::vector<std::uint8_t> shifts(64, shift);
  std::vector<std::int8_t> y(64);
  Scratch scratch(128);
  return qc_mma_fc_i8(&p, &out, x.data(), weights.data(), bias.data(), scales.data(), shifts.data(),
                      scratch.data(), y.data());
}

TEST(MmaFc, Refusals) {
  EXPECT_EQ(run_fc({40, 20, 64, 32}, kHalfUp, 1, 0), QC_OK);
  EXPECT_EQ(run_fc({40, 20, 48, 32}, kHalfUp, 1, 0), MMALIB_ERR_INVALID_DIMENSION);
  EXPECT_EQ(run_fc({40, 20, 64, 40}, kHalfUp, 1, 0), MMALIB_ERR_INVALID_DIMENSION);
  EXPECT_EQ(run_fc({40, 20, 32, 32}, kHalfUp, 1, 0), QC_ERR_PARAMETER);
  EXPECT_EQ(run_fc({40, 40, 64, 32}, kHalfUp, 1, 0), QC_ERR_PARAMETER);
  EXPECT_EQ(run_fc({40, 20, 64, 32}, kHalfUp, 0, 0), MMALIB_ERR_INVALID_VALUE);
  EXPECT_EQ(run_fc({40, 20, 64, 32}, kHalfUp, 255, 31), QC_OK);
  EXPECT_EQ(run_fc({40, 20, 64, 32}, kHalfUp, 1, 32), MMALIB_ERR_INVALID_SHIFT);
  EXPECT_EQ(run_fc({40, 20, 64, 32}, {QC_MMA_HALF_UP, 5, 4}, 1, 0), MMALIB_ERR_INVALID_VALUE);
  EXPECT_EQ(run_fc({40, 20, 64, 32}, {QC_MMA_HALF_UP, -129, 4}, 1, 0), MMALIB_ERR_INVALID_VALUE);
}

}  // namespace
}  // namespace quantc::runtime
