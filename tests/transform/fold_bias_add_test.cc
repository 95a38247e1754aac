// An Add of a constant behind a layer becomes its bias, or stays where it is something else.
#include "base/error.h"
#include "text_pass.h"

namespace quantc::transform {
namespace {

// A layer without bias and an addend; the result's bias, or nothing if the Add must stay.
struct Row {
  const char* addend;
  const char* sum;  ///< Type of the Add's result.
  const char* bias;
};

std::string conv_and_add(const Row& row) {
  return std::string(R"(graph @g
input %x : f32[2,1,2,3]
const %w : f32[3,1,1,1] = {1,1,1}
const %c : )") +
         row.addend + R"(
%conv : f32[2,3,2,3] = conv2d(%x, %w) # features.0
%y : )" + row.sum +
         R"( = add(%c, %conv) # add
output %y
)";
}

TEST(FoldBiasAdd, ConvolutionAddends) {
  const char* const image = "f32[2,3,2,3]";
  const std::vector<Row> rows = {
      {"f32[3,1,1] = {1,2,3}", image, "{1,2,3}"},
      {"f32[1,3,1,1] = {1,2,3}", image, "{1,2,3}"},
      {"f32[] = {5}", image, "{5,5,5}"},
      {"f32[1,1,1] = {5}", image, "{5,5,5}"},
      {"f32[3] = {1,2,3}", image, nullptr},  // along the width
      {"f32[1,1,3] = {1,2,3}", image, nullptr},
      {"f32[2,1,1,1] = {1,2}", image, nullptr},
      {"f32[1,3,2,1] = {1,2,3,4,5,6}", image, nullptr},
      {"f32[1,1,3,1,1] = {1,2,3}", "f32[1,2,3,2,3]", nullptr},
  };
  for (const Row& row : rows) {
    const std::string text = conv_and_add(row);
    if (row.bias == nullptr) {
      expect_unchanged(fold_bias_add, text);
      continue;
    }
    EXPECT_EQ(applied(fold_bias_add, text), printed(std::string(R"(graph @g
input %x : f32[2,1,2,3]
const %w : f32[3,1,1,1] = {1,1,1}
const %features.0.folded_bias : f32[3] = )") + row.bias +
                                                    R"(
%y : f32[2,3,2,3] = conv2d(%x, %w, %features.0.folded_bias) # features.0
output %y
)")) << row.addend;
  }
}

TEST(FoldBiasAdd, LinearAddendsFollowTheLastDimension) {
  const std::vector<Row> rows = {
      {"f32[2] = {1,2}", "f32[3,2]", "{11,22}"},
      {"f32[1,2] = {1,2}", "f32[3,2]", "{11,22}"},
      {"f32[3,1] = {1,2,3}", "f32[3,2]", nullptr},
      {"f32[1,1,2] = {1,2}", "f32[1,3,2]", nullptr},
  };
  for (const Row& row : rows) {
    const std::string text = std::string(R"(graph @g
input %x : f32[3,1]
const %w : f32[2,1] = {1,1}
const %b : f32[2] = {10,20}
const %c : )") + row.addend +
                             R"(
%fc : f32[3,2] = linear(%x, %w, %b) # fc
%y : )" + row.sum + R"( = add(%fc, %c) # add
output %y
)";
    if (row.bias == nullptr) {
      expect_unchanged(fold_bias_add, text);
      continue;
    }
    EXPECT_EQ(applied(fold_bias_add, text), printed(std::string(R"(graph @g
input %x : f32[3,1]
const %w : f32[2,1] = {1,1}
const %fc.folded_bias : f32[2] = )") + row.bias +
                                                    R"(
%y : f32[3,2] = linear(%x, %w, %fc.folded_bias) # fc
output %y
)")) << row.addend;
  }
}

TEST(FoldBiasAdd, SharedResultsStay) {
  expect_unchanged(fold_bias_add, R"(graph @g
input %x : f32[1,1,1,1]
const %w : f32[1,1,1,1] = {1}
const %c : f32[] = {1}
%conv : f32[1,1,1,1] = conv2d(%x, %w) # conv
%y : f32[1,1,1,1] = add(%conv, %c) # y
%z : f32[1,1,1,1] = relu(%conv) # z
output %y
output %z
)");
  expect_unchanged(fold_bias_add, R"(graph @g
input %x : f32[1,1,1,1]
const %w : f32[1,1,1,1] = {1}
const %c : f32[] = {1}
%conv : f32[1,1,1,1] = conv2d(%x, %w) # conv
%y : f32[1,1,1,1] = add(%conv, %c) # y
output %y
output %conv
)");
}

TEST(FoldBiasAdd, ResidualsAndComputedBiasesStay) {
  expect_unchanged(fold_bias_add, R"(graph @g
input %x : f32[1,1,1,1]
input %b : f32[1]
const %w : f32[1,1,1,1] = {1}
const %c : f32[] = {1}
%conv : f32[1,1,1,1] = conv2d(%x, %w) # conv
%sum : f32[1,1,1,1] = add(%conv, %x) # sum
%twice : f32[1,1,1,1] = conv2d(%sum, %w) # twice
%doubled : f32[1,1,1,1] = add(%twice, %twice) # doubled
%biased : f32[1,1,1,1] = conv2d(%doubled, %w, %b) # biased
%y : f32[1,1,1,1] = add(%biased, %c) # y
output %y
)");
}

}  // namespace
}  // namespace quantc::transform
