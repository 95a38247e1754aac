// The same bytes, layer by layer, from every compiler, optimization, sanitizer and memory plan.
#include <gmock/gmock.h>

#include "compiled.h"

namespace quantc::lower {
namespace {

TEST(SameBytes, EveryCompilerAndPlan) {
  const std::string sanitized =
      "-O1 -g -DQC_POISON -fsanitize=address,undefined -fno-sanitize-recover=all";
  const execute::BuildOptions builds[] = {
      {"gcc", "-O0"}, {"gcc", "-O3"}, {"clang", "-O2"}, {"gcc", sanitized}};
  std::vector<float> input;
  for (int i = 0; i < 243; ++i) input.push_back(static_cast<float>(i * 29 % 101) * 0.05F - 2.5F);
  for (const bool mmalib : {false, true}) {
    const std::vector<std::byte> expected =
        trace_compiled(mixed_network(), input, {.mmalib = mmalib});
    ASSERT_FALSE(expected.empty());
    for (const execute::BuildOptions& build : builds) {
      for (const bool reuse : {true, false}) {
        EXPECT_TRUE(trace_compiled(mixed_network(), input,
                                   {.mmalib = mmalib, .reuse = reuse, .build = build}) == expected)
            << build.compiler << " " << build.flags << " reuse " << reuse << " mmalib " << mmalib;
      }
    }
  }
}

}  // namespace
}  // namespace quantc::lower
