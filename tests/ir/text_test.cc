// The text form: printed and parsed without loss, and refusals that name the line.
#include "ir/text.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace quantc::ir {
namespace {

constexpr std::string_view kTiny = R"(graph @tiny
input %x : f32[1,3,8,8]
const %w : f32[4,3,3,3] = {...}
const %b : f32[4] = {1,-2.5,inf,0.1}
%conv : f32[1,4,4,4] = conv2d(%x, %w, %b, stride=[2,2], padding=[1,1,1,1], dilation=[1,1], groups=1) # features.0
%clip : f32[1,4,4,4] = clip(%conv, min=0, max=6) # features.1
%q : i8[1,4,4,4] = quantize(%clip, dtype=i8, scale=[0.023529412], zero_point=[-128], axis=none, qmin=-128, qmax=127) # features.1.quantize
%dq : f32[1,4,4,4] = dequantize(%q, dtype=i8, scale=[0.023529412], zero_point=[-128], axis=none, qmin=-128, qmax=127) # features.1.dequantize
%pool : f32[1,4,2,2] = max_pool2d(%dq, kernel=[3,3], stride=[2,2], padding=[0,0,0,0], dilation=[1,1], ceil_mode=true) # features.2
%flat : f32[1,16] = flatten(%pool, start_dim=1) # flatten
output %flat
)";

TEST(Text, PrintsWhatItParsed) { EXPECT_EQ(to_text(parse_graph(kTiny)), kTiny); }

TEST(Text, ConstantsKeepTheirBits) {
  const Graph graph = parse_graph(kTiny);
  const auto bias = graph.value(2).constant->values<float>();
  EXPECT_EQ(bias[3], 0.1F);
  EXPECT_TRUE(std::isinf(bias[2]));
}

struct Refusal {
  const char* text;
  const char* message;
};

TEST(Text, RefusalsNameLineExpectedAndFound) {
  const Refusal refusals[] = {
      {"graph @g\ninput %x : q8[1]\n", "line 2: expected an element type"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[1] = relu(%z) # r\n", "line 3: expected a value defined"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[1] = swish(%x) # s\n", "'swish'"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[1] = clip(%x, lo=0) # c\n", "an attribute of clip, found 'lo'"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[2] = relu(%x) # r\n", "declared as f32[1]"},
      {"graph @g\ninput %x : f32[1]\n%x : f32[1] = relu(%x) # r\n", "a name that is not taken"},
  };
  for (const Refusal& refusal : refusals) {
    try {
      parse_graph(refusal.text);
      ADD_FAILURE() << "accepted: " << refusal.text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(refusal.message));
    }
  }
}

}  // namespace
}  // namespace quantc::ir
