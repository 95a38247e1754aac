// Nodes on constants are computed at compile time.
#include "text_pass.h"

namespace quantc::transform {
namespace {

TEST(FoldConstants, BiasBehindReshapeAndAdd) {
  EXPECT_EQ(applied(fold_constants, R"(graph @g
input %x : f32[2,1,2,2]
const %w : f32[3,1,1,1] = {0,0,0}
const %c : f32[1,3,1] = {1,2,3}
const %one : f32[] = {1}
%shape : f32[3] = reshape(%c, shape=[-1]) # shape
%b : f32[3] = add(%shape, %one) # b
%y : f32[2,3,2,2] = conv2d(%x, %w, %b) # y
output %y
)"),
            printed(R"(graph @g
input %x : f32[2,1,2,2]
const %w : f32[3,1,1,1] = {0,0,0}
const %b : f32[3] = {2,3,4}
%y : f32[2,3,2,2] = conv2d(%x, %w, %b) # y
output %y
)"));
}

// As Swin Transformers keep their position bias: a table, indices, and a sum with the scores.
TEST(FoldConstants, BiasFromATable) {
  EXPECT_EQ(applied(fold_constants, R"(graph @g
input %x : f32[1,2,2]
const %table : f32[3,1] = {1,2,3}
const %index : i64[4] = {2,0,0,1}
%rows : f32[4,1] = gather(%table, %index, axis=0) # rows
%square : f32[2,2,1] = reshape(%rows, shape=[2,2,1]) # square
%bias : f32[1,2,2] = transpose(%square, perm=[2,1,0]) # bias
%y : f32[1,2,2] = add(%x, %bias) # y
output %y
)"),
            printed(R"(graph @g
input %x : f32[1,2,2]
const %bias : f32[1,2,2] = {3,1,1,2}
%y : f32[1,2,2] = add(%x, %bias) # y
output %y
)"));
}

TEST(FoldConstants, ConstantOutputsStayOutputs) {
  EXPECT_EQ(applied(fold_constants, R"(graph @g
input %x : f32[1]
const %c : f32[2] = {-1,2}
%r : f32[2] = relu(%c) # r
%y : f32[1] = relu(%x) # y
output %r
output %y
output %c
)"),
            printed(R"(graph @g
input %x : f32[1]
const %c : f32[2] = {-1,2}
const %r : f32[2] = {0,2}
%y : f32[1] = relu(%x) # y
output %r
output %y
output %c
)"));
}

TEST(FoldConstants, QuantizedWeightsStay) {
  expect_unchanged(fold_constants, R"(graph @g
input %x : f32[1,2]
const %w : i8[1,2] = {1,-2}
%dq : f32[1,2] = dequantize(%w, dtype=i8, scale=[0.5], zero_point=[0], axis=none, qmin=-127, qmax=127) # dq
%y : f32[1,1] = linear(%x, %dq) # y
output %y
)");
}

TEST(FoldConstants, ConstantsThatAreQuantizedBecomeCodes) {
  const ir::Graph graph = fold_constants(ir::parse_graph(R"(graph @g
input %x : f32[1,3]
const %f : f32[3] = {1,-2,1000}
%q : i8[3] = quantize(%f, scale=[0.5], zero_point=[1]) # q
%dq : f32[3] = dequantize(%q, scale=[0.5], zero_point=[1]) # dq
%y : f32[1,3] = add(%x, %dq) # y
output %y
)"));
  EXPECT_EQ(graph.nodes.size(), 2U);
  EXPECT_THAT(graph.value(graph.nodes.at(0).inputs.at(0)).constant->values<std::int8_t>(),
              testing::ElementsAre(3, -3, 127));
}

}  // namespace
}  // namespace quantc::transform
