// The same bytes, layer by layer, from every compiler, optimization, sanitizer and memory plan.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "compiled.h"

namespace quantc::lower {
namespace {

std::vector<int> codes(int count, int step) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back((i * step + 31) % 255 - 127);
  return values;
}

// Convolution, depthwise, residual, concatenation, both pools and a linear layer, with scales and
// zero points that round.
std::string network() {
  return "graph @mixed\ninput %x : f32[1,3,9,9]\n" + quantized("x", "[1,3,9,9]", 0.021F, -7) +
         weights("w1", "[8,3,3,3]", codes(216, 37)) +
         "%a : f32[1,8,5,5] = conv2d(%x.dq, %w1.dq, stride=[2,2], padding=[1,1,1,1])\n"
         "%ar : f32[1,8,5,5] = clip(%a, min=0, max=60)\n" +
         quantized("ar", "[1,8,5,5]", 0.24F, -128) + weights("w2", "[8,1,3,3]", codes(72, 53)) +
         "%d : f32[1,8,5,5] = conv2d(%ar.dq, %w2.dq, padding=[1,1,1,1], groups=8)\n" +
         quantized("d", "[1,8,5,5]", 93.0F, 11) + "%s : f32[1,8,5,5] = add(%d.dq, %ar.dq)\n" +
         quantized("s", "[1,8,5,5]", 97.0F, 9) +
         "%cat : f32[1,16,5,5] = concat(%s.dq, %d.dq, axis=1)\n" +
         quantized("cat", "[1,16,5,5]", 101.0F, 3) +
         "%p : f32[1,16,3,3] = max_pool2d(%cat.dq, kernel=[3,3], stride=[2,2], "
         "padding=[1,1,1,1])\n" +
         quantized("p", "[1,16,3,3]", 101.0F, 3) +
         "%m : f32[1,16,2,2] = adaptive_avg_pool2d(%p.dq, output=[2,2])\n" +
         quantized("m", "[1,16,2,2]", 88.0F, 1) + "%f : f32[1,64] = flatten(%m.dq, start_dim=1)\n" +
         quantized("f", "[1,64]", 88.0F, 1) + weights("w3", "[10,64]", codes(640, 71)) +
         "%y : f32[1,10] = linear(%f.dq, %w3.dq)\noutput %y\n";
}

TEST(SameBytes, EveryCompilerAndPlan) {
  const std::string sanitized =
      "-O1 -g -DQC_POISON -fsanitize=address,undefined -fno-sanitize-recover=all";
  const execute::BuildOptions builds[] = {
      {"gcc", "-O0"}, {"gcc", "-O3"}, {"clang", "-O2"}, {"gcc", sanitized}};
  std::vector<float> input;
  for (int i = 0; i < 243; ++i) input.push_back(static_cast<float>(i * 29 % 101) * 0.05F - 2.5F);
  for (const bool mmalib : {false, true}) {
    const std::vector<std::byte> expected = trace_compiled(network(), input, {.mmalib = mmalib});
    ASSERT_FALSE(expected.empty());
    for (const execute::BuildOptions& build : builds) {
      for (const bool reuse : {true, false}) {
        EXPECT_TRUE(trace_compiled(network(), input,
                                   {.mmalib = mmalib, .reuse = reuse, .build = build}) == expected)
            << build.compiler << " " << build.flags << " reuse " << reuse << " mmalib " << mmalib;
      }
    }
  }
}

}  // namespace
}  // namespace quantc::lower
