// A weight or bias that is not a constant is an error that names the layer.
#include "base/error.h"
#include "text_pass.h"

namespace quantc::transform {
namespace {

using testing::HasSubstr;

constexpr const char* kHead = R"(graph @g
input %x : f32[1,1,1,1]
input %v : f32[1]
const %w : f32[1,1,1,1] = {1}
const %c : f32[1] = {1}
%b : f32[1] = relu(%v) # b
)";

TEST(RequireConstantWeights, ComputedParametersAreRefused) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"conv2d(%x, %w, %b)", "layer1: conv2d: expected a constant bias, found %b"},
      {"conv2d(%x, %x, %c)", "layer1: conv2d: expected a constant weight, found %x"},
      {"conv_transpose2d(%x, %w, %b)", "layer1: conv_transpose2d: expected a constant bias"},
      {"linear(%x, %u)", "layer1: linear: expected a constant weight, found %u"},
      {"batch_norm(%x, %c, %c, %b, %c)", "layer1: batch_norm: expected a constant running_mean"},
  };
  for (const auto& [node, message] : rows) {
    const std::string text = std::string(kHead) + "%u : f32[1,1] = reshape(%b, shape=[1,1]) # u\n" +
                             "%y : f32[1,1,1,1] = " + node + " # layer1\noutput %y\n";
    try {
      canonicalize(ir::parse_graph(text));
      ADD_FAILURE() << "accepted: " << node;
    } catch (const UnsupportedError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

TEST(RequireConstantWeights, QuantizedConstantsPass) {
  const ir::Graph graph = canonicalize(ir::parse_graph(R"(graph @g
input %x : f32[1,1,1,1]
const %w : f32[1,1,1,1] = {1}
const %b : i32[1] = {7}
%q : i8[1,1,1,1] = quantize(%w, dtype=i8, scale=[0.5], zero_point=[0], axis=none, qmin=-127, qmax=127) # q
%dq : f32[1,1,1,1] = dequantize(%q, dtype=i8, scale=[0.5], zero_point=[0], axis=none, qmin=-127, qmax=127) # dq
%bias : f32[1] = dequantize(%b, dtype=i32, scale=[0.5], zero_point=[0], axis=none, qmin=-2147483648, qmax=2147483647) # bias
%y : f32[1,1,1,1] = conv2d(%x, %dq, %bias) # y
output %y
)"));
  EXPECT_EQ(graph.nodes.size(), 3U);
}

}  // namespace
}  // namespace quantc::transform
