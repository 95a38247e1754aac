// Convolutions that other compilers got wrong, with results worked out by hand: scale 1, so that
// output codes are the integers given. And the parameters that the kernel refuses.
#include <gmock/gmock.h>

#include <array>
#include <limits>
#include <numeric>

#include "qc_kernels.h"
#include "tensors.h"

namespace quantc::runtime {
namespace {

using testing::ElementsAre;

struct Conv {
  Sizes x, y;
  std::vector<std::int8_t> input;    ///< NCHW
  std::vector<std::int8_t> weights;  ///< OHWI
  std::vector<std::int32_t> bias;
  std::int32_t kernel_h = 1, kernel_w = 1;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t pad_top = 0, pad_left = 0;
  std::int32_t groups = 1;
  std::int32_t x_zero_point = 0;
};

qc_conv2d_params params_of(const Conv& c) {
  return {.x = nhwc(c.x),
          .y = nhwc(c.y),
          .kernel_h = c.kernel_h,
          .kernel_w = c.kernel_w,
          .stride_h = c.stride_h,
          .stride_w = c.stride_w,
          .pad_top = c.pad_top,
          .pad_left = c.pad_left,
          .dilation_h = 1,
          .dilation_w = 1,
          .groups = c.groups,
          .x_zero_point = c.x_zero_point};
}

// The output codes in NCHW order.
std::vector<int> convolve(const Conv& c) {
  Tensor<std::int8_t> x("nhwc", c.x, c.input);
  Tensor<std::int8_t> y("nhwc", c.y);
  const qc_conv2d_params p = params_of(c);
  const qc_requant out = {0, -128, 127};
  const auto channels = static_cast<std::size_t>(c.y.c);
  std::vector<std::int32_t> bias = c.bias;
  bias.resize(channels);
  const std::vector<float> multiplier(channels, 1.0F);
  Scratch scratch(qc_conv2d_scratch_bytes(&p));
  EXPECT_EQ(qc_conv2d_i8(&p, &out, x.data(), c.weights.data(), bias.data(), multiplier.data(),
                         scratch.data(), y.data()),
            QC_OK);
  EXPECT_TRUE(y.surroundings_are_untouched());
  const std::vector<std::int8_t> codes = y.dense();
  return {codes.begin(), codes.end()};
}

std::vector<std::int8_t> counted(int last) {
  std::vector<std::int8_t> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), std::int8_t{1});
  return values;
}

// microsoft/onnxruntime#11525: x = 1..9, a kernel of four ones.
TEST(Conv2d, PaddingAtTheEndOnly) {
  EXPECT_THAT(convolve({.x = {1, 1, 3, 3},
                        .y = {1, 1, 3, 3},
                        .input = counted(9),
                        .weights = {1, 1, 1, 1},
                        .kernel_h = 2,
                        .kernel_w = 2}),
              ElementsAre(12, 16, 9, 24, 28, 15, 15, 17, 9));
}

TEST(Conv2d, PaddingAtTheBeginningOnly) {
  EXPECT_THAT(convolve({.x = {1, 1, 3, 3},
                        .y = {1, 1, 3, 3},
                        .input = counted(9),
                        .weights = {1, 1, 1, 1},
                        .kernel_h = 2,
                        .kernel_w = 2,
                        .pad_top = 1,
                        .pad_left = 1}),
              ElementsAre(1, 3, 5, 5, 12, 16, 11, 24, 28));
}

// apache/tvm#13364: real input 1.0 everywhere is code -2 at zero point -3; nine ones as kernel.
TEST(Conv2d, PaddingReadsAsTheZeroPoint) {
  constexpr std::int32_t kFolded = 3 * 9;  // -zero_point * sum of the weights
  const Conv conv = {.x = {1, 1, 4, 4},
                     .y = {1, 1, 4, 4},
                     .input = std::vector<std::int8_t>(16, -2),
                     .weights = std::vector<std::int8_t>(9, 1),
                     .bias = {kFolded},
                     .kernel_h = 3,
                     .kernel_w = 3,
                     .pad_top = 1,
                     .pad_left = 1,
                     .x_zero_point = -3};
  EXPECT_THAT(convolve(conv), ElementsAre(4, 6, 6, 4, 6, 9, 9, 6, 6, 9, 9, 6, 4, 6, 6, 4));
}

TEST(Conv2d, PaddingReadsAsTheZeroPointInEveryChannel) {
  const Conv depthwise = {.x = {1, 2, 4, 4},
                          .y = {1, 2, 4, 4},
                          .input = std::vector<std::int8_t>(32, -2),
                          .weights = std::vector<std::int8_t>(18, 1),
                          .bias = {27, 27},
                          .kernel_h = 3,
                          .kernel_w = 3,
                          .pad_top = 1,
                          .pad_left = 1,
                          .groups = 2,
                          .x_zero_point = -3};
  const std::vector<int> one = {4, 6, 6, 4, 6, 9, 9, 6, 6, 9, 9, 6, 4, 6, 6, 4};
  std::vector<int> both = one;
  both.insert(both.end(), one.begin(), one.end());
  EXPECT_EQ(convolve(depthwise), both);
}

// Tencent/ncnn#1581: the second group reads its own inputs.
TEST(Conv2d, GroupsReadTheirOwnChannels) {
  EXPECT_THAT(convolve({.x = {1, 4, 1, 1},
                        .y = {1, 4, 1, 1},
                        .input = {1, 2, 3, 4},
                        .weights = {1, 2, 3, 4, 5, 6, 7, 8},
                        .groups = 2}),
              ElementsAre(5, 11, 39, 53));
}

TEST(Conv2d, GroupsOfUnequalWidth) {
  EXPECT_THAT(convolve({.x = {1, 4, 1, 1},
                        .y = {1, 6, 1, 1},
                        .input = {1, 2, 3, 4},
                        .weights = {1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 2, 2},
                        .groups = 2}),
              ElementsAre(1, 2, 3, 3, 4, 14));
}

// pytorch/executorch#18783: x = 1..8 in two rows, taps 1 2 4 along the width, and transposed.
TEST(Conv2d, OneRowKernel) {
  EXPECT_THAT(convolve({.x = {1, 1, 2, 4},
                        .y = {1, 1, 2, 2},
                        .input = counted(8),
                        .weights = {1, 2, 4},
                        .kernel_w = 3,
                        .stride_w = 2,
                        .pad_left = 1}),
              ElementsAre(10, 24, 34, 52));
}

TEST(Conv2d, OneColumnKernel) {
  EXPECT_THAT(convolve({.x = {1, 1, 4, 2},
                        .y = {1, 1, 2, 2},
                        .input = {1, 5, 2, 6, 3, 7, 4, 8},
                        .weights = {1, 2, 4},
                        .kernel_h = 3,
                        .stride_h = 2,
                        .pad_top = 1}),
              ElementsAre(10, 34, 24, 52));
}

// kraiskil/onnx2c#7: the bias follows the channel, in every image of the batch.
TEST(Conv2d, BiasOfEachChannel) {
  EXPECT_THAT(convolve({.x = {2, 1, 2, 2},
                        .y = {2, 3, 2, 2},
                        .input = std::vector<std::int8_t>(8, 0),
                        .weights = {0, 0, 0},
                        .bias = {1, 2, 3}}),
              ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
}

// ml-explore/mlx#3979: every one of many output channels is computed.
class Conv2dChannels : public testing::TestWithParam<int> {};

TEST_P(Conv2dChannels, AreAllWritten) {
  Conv conv = {.x = {1, 1, 2, 2}, .y = {1, GetParam(), 2, 2}, .input = {2, 2, 2, 2}};
  std::vector<int> expected;
  for (int o = 0; o < GetParam(); ++o) {
    conv.weights.push_back(static_cast<std::int8_t>(o % 63 + 1));
    expected.insert(expected.end(), 4, 2 * (o % 63 + 1));
  }
  EXPECT_EQ(convolve(conv), expected);
}

INSTANTIATE_TEST_SUITE_P(Counts, Conv2dChannels,
                         testing::Values(512, 1023, 1024, 1025, 1280, 2048, 4097));

TEST(Conv2d, OneOutputOfManyChannels) {
  EXPECT_THAT(convolve({.x = {1, 4097, 1, 1},
                        .y = {1, 1, 1, 1},
                        .input = std::vector<std::int8_t>(4097, 1),
                        .weights = std::vector<std::int8_t>(4097, 1),
                        .bias = {-4000}}),
              ElementsAre(97));
}

// ---- Refusals ----

struct Refusal {
  const char* name;
  void (*spoil)(qc_conv2d_params& p, qc_requant& out, float& multiplier);
  qc_status status;
};

// For the name of a failing row.
std::ostream& operator<<(std::ostream& out, const Refusal& row) { return out << row.name; }

class Conv2dRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(Conv2dRefusal, IsAStatus) {
  const Sizes sizes = {1, 4, 2, 2};
  Tensor<std::int8_t> x("nhwc", sizes, std::vector<std::int8_t>(16, 1));
  Tensor<std::int8_t> y("nhwc", sizes);
  qc_conv2d_params p = params_of({.x = sizes, .y = sizes});
  qc_requant out = {0, -128, 127};
  std::vector<float> multiplier(4, 1.0F);
  const std::vector<std::int8_t> weights(16, 1);
  const std::vector<std::int32_t> bias(4, 0);
  Scratch scratch(64);
  const auto run = [&] {
    return qc_conv2d_i8(&p, &out, x.data(), weights.data(), bias.data(), multiplier.data(),
                        scratch.data(), y.data());
  };
  ASSERT_EQ(run(), QC_OK);
  GetParam().spoil(p, out, multiplier.back());
  EXPECT_EQ(run(), GetParam().status);
}

constexpr std::array kRefusals = {
    Refusal{"Batch", [](auto& p, auto&, auto&) { p.y.n = 2; }, QC_ERR_SHAPE},
    Refusal{"NoOutput", [](auto& p, auto&, auto&) { p.y.w = 0; }, QC_ERR_SHAPE},
    Refusal{"NegativeStride", [](auto& p, auto&, auto&) { p.x.h_stride = -8; }, QC_ERR_SHAPE},
    Refusal{"OverlappingOutput", [](auto& p, auto&, auto&) { p.y.h_stride = 0; }, QC_ERR_SHAPE},
    Refusal{"PlanarInput", [](auto& p, auto&, auto&) { p.x.c_stride = 4; }, QC_ERR_SHAPE},
    Refusal{"NoGroups", [](auto& p, auto&, auto&) { p.groups = 0; }, QC_ERR_SHAPE},
    Refusal{"GroupsThatDoNotDivide", [](auto& p, auto&, auto&) { p.groups = 3; }, QC_ERR_SHAPE},
    Refusal{"NoKernel", [](auto& p, auto&, auto&) { p.kernel_w = 0; }, QC_ERR_PARAMETER},
    Refusal{"NoStride", [](auto& p, auto&, auto&) { p.stride_h = 0; }, QC_ERR_PARAMETER},
    Refusal{"NoDilation", [](auto& p, auto&, auto&) { p.dilation_w = 0; }, QC_ERR_PARAMETER},
    Refusal{"NegativePadding", [](auto& p, auto&, auto&) { p.pad_top = -1; }, QC_ERR_PARAMETER},
    Refusal{"ZeroPoint", [](auto& p, auto&, auto&) { p.x_zero_point = 128; }, QC_ERR_PARAMETER},
    Refusal{"OutputZeroPoint", [](auto&, auto& out, auto&) { out.zero_point = -129; },
            QC_ERR_PARAMETER},
    Refusal{"BoundsBeyondInt8", [](auto&, auto& out, auto&) { out.hi = 128; }, QC_ERR_PARAMETER},
    Refusal{"BoundsSwapped",
            [](auto&, auto& out, auto&) {
              out = {0, 5, 4};
            },
            QC_ERR_PARAMETER},
    Refusal{"NanMultiplier",
            [](auto&, auto&, float& m) { m = std::numeric_limits<float>::quiet_NaN(); },
            QC_ERR_PARAMETER},
    Refusal{"InfiniteMultiplier",
            [](auto&, auto&, float& m) { m = std::numeric_limits<float>::infinity(); },
            QC_ERR_PARAMETER},
};

INSTANTIATE_TEST_SUITE_P(Rows, Conv2dRefusal, testing::ValuesIn(kRefusals),
                         [](const auto& row) { return row.param.name; });

TEST(Conv2dF32, SwappedBoundsAreRefused) {
  const qc_conv2d_params p = params_of({.x = {}, .y = {}});
  const qc_float_clip out = {1.0F, 0.5F};
  const std::int8_t code = 1;
  const std::int32_t bias = 0;
  const float multiplier = 1;
  float y = 0;
  Scratch scratch(1);
  EXPECT_EQ(qc_conv2d_i8_f32(&p, &out, &code, &code, &bias, &multiplier, scratch.data(), &y),
            QC_ERR_PARAMETER);
}

}  // namespace
}  // namespace quantc::runtime
