// The eligibility rules, each at its limit and one step beyond, and asked of the emulated library
// as well.
#include <gmock/gmock.h>

#include <numeric>
#include <random>

#include "emulation.h"
#include "mmalib_emulation.h"
#include "target/mmalib.h"

namespace quantc::target {
namespace {

using testing::HasSubstr;

struct Rule {
  const char* name;
  ConvGeometry accepted;
  void (*step)(ConvGeometry& geometry);
  const char* reason;
};

std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }

class MmaEligibility : public testing::TestWithParam<Rule> {};

TEST_P(MmaEligibility, EndsAtTheLimit) {
  const ConvGeometry at_limit = with_output_size(GetParam().accepted);
  EXPECT_EQ(mma_refusal(at_limit), std::nullopt);
  const Convolution result = convolve(at_limit);
  EXPECT_EQ(result.status, MMALIB_SUCCESS);
  EXPECT_EQ(result.y, result.expected);
  ConvGeometry beyond = GetParam().accepted;
  GetParam().step(beyond);
  const auto refusal = mma_refusal(with_output_size(beyond));
  ASSERT_TRUE(refusal);
  EXPECT_THAT(*refusal, HasSubstr(GetParam().reason));
}

ConvGeometry dense(std::int64_t kernel, std::int64_t stride, const ir::Padding2d& pad,
                   std::int64_t size = 24) {
  return {.c_in = 3,
          .h_in = size,
          .w_in = size,
          .c_out = 34,
          .kernel = {kernel, kernel},
          .conv = {.stride = {stride, stride}, .padding = pad}};
}

ConvGeometry depthwise(std::int64_t kernel, std::int64_t stride) {
  const std::int64_t half = kernel / 2;
  return {.c_in = 4,
          .h_in = 12,
          .w_in = 12,
          .c_out = 4,
          .kernel = {kernel, kernel},
          .conv = {.stride = {stride, stride},
                   .padding = ir::Padding2d::symmetric(half, half),
                   .groups = 4}};
}

constexpr ir::Padding2d kOne{1, 1, 1, 1};
constexpr ir::Padding2d kNone{};

void stride_3(ConvGeometry& g) { g.conv.stride = {3, 3}; }
void stride_4(ConvGeometry& g) { g.conv.stride = {4, 4}; }

std::vector<Rule> rules() {
  return {
      {"Batch", dense(3, 1, kOne), [](ConvGeometry& g) { g.batch = 2; }, "batch 2 (1)"},
      {"DilationH", dense(3, 1, kOne), [](ConvGeometry& g) { g.conv.dilation.h = 2; }, "dilation"},
      {"DilationW", dense(3, 1, kOne), [](ConvGeometry& g) { g.conv.dilation.w = 2; }, "dilation"},
      {"Strides", dense(3, 2, kOne), [](ConvGeometry& g) { g.conv.stride.w = 1; },
       "unequal strides"},
      // Kernel and stride pairs.
      {"Stride2Of1x1", dense(1, 2, kNone), stride_3, "no kernel for 1x1 at stride 3"},
      {"Stride2Of3x3", dense(3, 2, kOne), stride_4, "no kernel for 3x3 at stride 4"},
      {"Stride3Of3x3", dense(3, 3, kOne), stride_4, "no kernel for 3x3 at stride 4"},
      {"Stride2Of5x5", dense(5, 2, {2, 2, 2, 2}), stride_3, "no kernel for 5x5 at stride 3"},
      {"Stride2Of7x7", dense(7, 2, {3, 3, 3, 3}), stride_3, "no kernel for 7x7 at stride 3"},
      {"Stride4Of11x11", dense(11, 4, {5, 5, 5, 5}, 35), stride_3,
       "no kernel for 11x11 at stride 3"},
      {"Stride2OfOddKernels", dense(3, 2, kOne), [](ConvGeometry& g) { g.kernel.w = 1; },
       "no kernel for 3x1 at stride 2"},
      {"Stride2OfEvenKernels", dense(3, 2, kOne),
       [](ConvGeometry& g) {
         g.kernel = {2, 2};
       },
       "no kernel for 2x2 at stride 2"},
      // Padding of strided kernels: nothing at the top, or nothing or half a kernel at the bottom.
      {"BottomIsHalf", dense(7, 2, {2, 3, 3, 3}),
       [](ConvGeometry& g) { g.conv.padding.bottom = 2; }, "padding 2 at the bottom (0 or 3)"},
      {"BottomIsNone", dense(7, 2, {2, 3, 0, 3}),
       [](ConvGeometry& g) { g.conv.padding.bottom = 1; }, "padding 1 at the bottom (0 or 3)"},
      {"TopIsNone", dense(7, 2, {0, 3, 2, 3}), [](ConvGeometry& g) { g.conv.padding.top = 1; },
       "padding 2 at the bottom (0 or 3)"},
      {"PointwiseSides", dense(1, 2, {0, 1, 0, 1}),
       [](ConvGeometry& g) { g.conv.padding.right = 0; }, "unequal padding left and right"},
      // A plane of 3x3 computes 9 - 3 * 2 - 2 = 1 column of 1, one of 4x3 12 - 6 - 2 = 4 of 2.
      {"Valid", dense(3, 1, kNone, 3), [](ConvGeometry& g) { g.h_in = 4; },
       "3x3 at stride 1 without padding computes 4 columns for an output of 2"},
      {"ValidIsPadded", dense(3, 1, {0, 0, 0, 1}), [](ConvGeometry& g) { g.conv.padding = {}; },
       "3x3 at stride 1 without padding"},
      {"ValidOfOneColumn",
       {.c_in = 2, .h_in = 9, .w_in = 5, .c_out = 3, .kernel = {3, 1}},
       [](ConvGeometry& g) {
         g.kernel = {1, 2};
       },
       "1x2 at stride 1 without padding"},
      // Depthwise.
      {"Depthwise3x3", depthwise(3, 2), stride_3, "no depthwise kernel for 3x3 at stride 3"},
      {"Depthwise5x5", depthwise(5, 2), stride_3, "no depthwise kernel for 5x5 at stride 3"},
      {"Depthwise7x7", depthwise(7, 1),
       [](ConvGeometry& g) {
         g.conv.stride = {2, 2};
       },
       "no depthwise kernel for 7x7 at stride 2"},
      {"Depthwise9x9", depthwise(7, 1),
       [](ConvGeometry& g) {
         g.kernel = {9, 9};
       },
       "no depthwise kernel for 9x9 at stride 1"},
      {"DepthwiseIsSquare", depthwise(3, 1), [](ConvGeometry& g) { g.kernel.w = 5; },
       "no depthwise kernel for 3x5 at stride 1"},
  };
}

INSTANTIATE_TEST_SUITE_P(Rules, MmaEligibility, testing::ValuesIn(rules()),
                         [](const auto& row) { return row.param.name; });

// No rule of the library limits these; large ones exercise the emulation's chunks.
TEST(MmaEligibility, TakesAnyKernelAndChannelCountAtStride1) {
  const auto padded = [](ir::Size2d kernel, std::int64_t c_in, std::int64_t c_out) {
    ConvGeometry g{.c_in = c_in, .h_in = 4, .w_in = 5, .c_out = c_out, .kernel = kernel};
    g.conv.padding = ir::Padding2d::symmetric(kernel.h / 2, kernel.w / 2);
    return with_output_size(g);
  };
  const std::vector<ConvGeometry> rows = {padded({33, 33}, 2, 3),  padded({1, 1025}, 2, 2),
                                          padded({1025, 1}, 2, 2), padded({3, 1024}, 2, 2),
                                          padded({3, 600}, 3, 2),  padded({700, 3}, 2, 2),
                                          padded({1, 2500}, 1, 1), padded({32, 32}, 3, 2),
                                          padded({1, 1}, 1030, 2), padded({3, 3}, 130, 1030)};
  for (const ConvGeometry& g : rows) {
    EXPECT_EQ(mma_refusal(g), std::nullopt) << g.kernel.h << "x" << g.kernel.w;
    const Convolution result = convolve(g);
    EXPECT_EQ(result.status, MMALIB_SUCCESS) << g.kernel.h << "x" << g.kernel.w;
    EXPECT_TRUE(result.y == result.expected) << g.kernel.h << "x" << g.kernel.w;
  }
}

TEST(MmaEligibility, IsThatOfTheEmulationOnRandomGeometries) {
  std::mt19937 generator(11);
  const auto in = [&](std::int64_t low, std::int64_t high) {
    return low +
           static_cast<std::int64_t>(generator() % static_cast<std::uint32_t>(high - low + 1));
  };
  const std::vector<std::int64_t> channels = {1, 2, 3, 4, 33, 40};
  int taken = 0;
  int refused = 0;
  while (taken + refused < 3000) {
    const std::int64_t kernel = generator() % 8 == 0 ? in(1, 40) : in(1, 11);
    ConvGeometry g{.c_in = channels[static_cast<std::size_t>(in(0, 5))],
                   .h_in = in(1, 16),
                   .w_in = in(1, 16),
                   .c_out = channels[static_cast<std::size_t>(in(0, 5))],
                   .kernel = {kernel, generator() % 3 == 0 ? in(1, 40) : kernel}};
    const std::int64_t stride = in(1, 4);
    const std::int64_t pad = generator() % 3 == 0 ? 0 : kernel / 2;
    g.conv.stride = {stride, stride};
    g.conv.padding = {pad, g.kernel.w / 2, generator() % 4 == 0 ? in(0, 6) : pad,
                      generator() % 4 == 0 ? in(0, 6) : g.kernel.w / 2};
    if (generator() % 4 == 0) g.conv.padding = {};
    if (generator() % 2 == 0) g.conv.groups = std::gcd(g.c_in, g.c_out);
    if (g.h_in + g.conv.padding.top + g.conv.padding.bottom < g.kernel.h ||
        g.w_in + g.conv.padding.left + g.conv.padding.right < g.kernel.w) {
      continue;
    }
    g = with_output_size(g);
    const auto refusal = mma_refusal(g);
    const Convolution result = convolve(g);
    ASSERT_EQ(result.status == MMALIB_SUCCESS, !refusal)
        << "status " << result.status << ", compiler: " << refusal.value_or("offloads") << ", "
        << g.kernel.h << "x" << g.kernel.w << " at stride " << stride;
    ASSERT_TRUE(refusal || result.y == result.expected) << g.kernel.h << "x" << g.kernel.w;
    ++(refusal ? refused : taken);
  }
  EXPECT_GT(taken, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace quantc::target
