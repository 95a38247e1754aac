// The float network behind a quantized one.
#include <gmock/gmock.h>

#include "ir/text.h"
#include "transform/passes.h"

namespace quantc::transform {
namespace {

constexpr const char* kQuantized = R"(graph @net
input %x : f32[1,1,1,2]
const %w.codes : i8[1,1,1,1] = {50}
%x.q : i8[1,1,1,2] = quantize(%x, scale=[0.1], zero_point=[3])
%x.dq : f32[1,1,1,2] = dequantize(%x.q, scale=[0.1], zero_point=[3])
%w : f32[1,1,1,1] = dequantize(%w.codes, scale=[0.5], zero_point=[0])
%c : f32[1,1,1,2] = conv2d(%x.dq, %w) # c
%c.q : i8[1,1,1,2] = quantize(%c, scale=[0.2], zero_point=[0])
%c.dq : f32[1,1,1,2] = dequantize(%c.q, scale=[0.2], zero_point=[0])
output %c.dq
)";

TEST(WithoutQuantization, RoundingGoesAndWeightsBecomeReal) {
  const ir::Graph graph = ir::parse_graph(kQuantized);
  EXPECT_TRUE(is_quantized(graph));
  const ir::Graph real = without_quantization(graph);
  EXPECT_FALSE(is_quantized(real));
  EXPECT_EQ(ir::to_text(real), R"(graph @net
input %x : f32[1,1,1,2]
const %w : f32[1,1,1,1] = {25}
%c : f32[1,1,1,2] = conv2d(%x, %w, stride=[1,1], padding=[0,0,0,0], dilation=[1,1], groups=1) # c
output %c
)");
}

}  // namespace
}  // namespace quantc::transform
