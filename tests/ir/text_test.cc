// The text form: printed and parsed without loss, and refusals that name the line.
#include "ir/text.h"

#include <gmock/gmock.h>

#include <set>

#include "base/error.h"
#include "ir/op_text.h"

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

TEST(Text, ConstantsOfEveryElementType) {
  constexpr std::string_view kText = R"(graph @g
input %x : f32[1]
const %a : i8[2] = {-128,127}
const %b : u8[2] = {0,255}
const %c : i16[2] = {-32768,32767}
const %d : i32[2] = {-2147483648,2147483647}
const %e : i64[2] = {-9223372036854775808,9223372036854775807}
const %f : f64[2] = {0.1,-inf}
const %g : bool[2] = {...}
const %h : f16[2] = {...}
output %x
)";
  EXPECT_EQ(to_text(parse_graph(kText)), kText);
}

// One of each op, no attribute at its default.
std::vector<Op> every_op() {
  const Padding2d padding{1, 2, 3, 4};
  const QuantParams params{.dtype = DType::kUInt8,
                           .qmin = 0,
                           .qmax = 255,
                           .scale = {0.5F, 0.1F},
                           .zero_point = {1, 2},
                           .axis = 1};
  return {Conv2d{{2, 3}, padding, {4, 5}, 6},
          ConvTranspose2d{{2, 3}, padding, {1, 2}, {4, 5}, 6},
          Linear{},
          Matmul{},
          BatchNorm{1e-3},
          LayerNorm{1e-6, 3},
          Softmax{2},
          Relu{},
          Clip{-1, 6},
          Sigmoid{},
          HardSigmoid{},
          HardSwish{},
          Silu{},
          Gelu{true},
          Tanh{},
          Exp{},
          Sqrt{},
          Add{},
          Sub{},
          Mul{},
          Div{},
          Mean{{2, 3}, true},
          ReduceL2{{1}, true},
          MaxPool2d{{2, 3}, {4, 5}, padding, {6, 7}, true},
          AvgPool2d{{2, 3}, {4, 5}, padding, true, false},
          AdaptiveAvgPool2d{{2, 3}},
          Flatten{2},
          Reshape{{1, -1}},
          Transpose{{1, 0, 2}},
          Slice{1, 2, 9, 3},
          Pad{{1, 2}, {3, 4}, -0.5F},
          Expand{{2, 3}},
          Gather{1},
          Concat{2},
          Quantize{params},
          Dequantize{params}};
}

TEST(Text, EveryOpKeepsItsAttributes) {
  std::set<std::size_t> seen;
  for (const Op& op : every_op()) {
    const auto texts = attribute_texts(op);
    EXPECT_EQ(parse_op(name_of(op), Attributes(texts.begin(), texts.end())), op) << name_of(op);
    seen.insert(op.index());
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<Op>);
}

TEST(Text, AttributesOfOps) {
  constexpr std::string_view kText = R"(graph @attention
input %x : f32[1,4,6]
const %w : f32[6] = {1,1,1,1,1,1}
const %i : i64[3] = {0,2,2}
%n : f32[1,4,6] = layer_norm(%x, %w, %w, eps=1e-06, normalized_dims=1) # n
%t : f32[1,6,4] = transpose(%n, perm=[0,2,1]) # t
%m : f32[1,4,4] = matmul(%n, %t) # m
%s : f32[1,4,4] = softmax(%m, axis=2) # s
%g : f32[1,4,3] = gather(%s, %i, axis=2) # g
%p : f32[1,5,6] = pad(%g, before=[0,1,0], after=[0,0,3], value=-inf) # p
%c : f32[1,2,6] = slice(%p, axis=1, start=1, end=5, step=2) # c
%h : f32[1,2,6] = gelu(%c, tanh_form=false) # h
%e : f32[3,2,6] = expand(%h, shape=[3,2,6]) # e
%a : f32[3,1,1] = mean(%e, axes=[1,2], keepdim=true) # a
%l : f32[] = reduce_l2(%a, axes=[0,1,2], keepdim=false) # l
%d : f32[3,2,6] = div(%e, %l) # d
output %d
)";
  EXPECT_EQ(to_text(parse_graph(kText)), kText);
}

struct Refusal {
  const char* text;
  const char* message;
};

TEST(Text, RefusalsNameLineExpectedAndFound) {
  const std::vector<Refusal> refusals = {
      {"graph @g\ninput %x : q8[1]\n", "line 2: expected an element type"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[1] = relu(%z) # r\n",
       "line 3: expected a value defined"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[1] = swish(%x) # s\n", "'swish'"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[1] = clip(%x, lo=0) # c\n",
       "an attribute of clip, found 'lo'"},
      {"graph @g\ninput %x : f32[1]\n%y : f32[2] = relu(%x) # r\n", "declared as f32[1]"},
      {"graph @g\n\ninput %x : f32[one]\n", "line 3: expected an integer of 64 bits, found 'one'"},
      {"graph @g\nconst %c : i8[1] = {128}\n",
       "line 2: expected an integer of 8 bits, found '128'"},
      {"graph @g\nconst %c : i8[1] = {1.5}\n",
       "line 2: expected an integer of 8 bits, found '1.5'"},
      {"graph @g\nconst %c : f32[2] = {1}\n",
       "line 2: expected 2 elements of a constant f32[2], found 1"},
      {"graph @g\nconst %c : f16[1] = {1}\n",
       "line 2: expected {...} for a constant of f16, found '1'"},
      {"graph @g\ninput %x : f32[2]\n%y : f32[2] = softmax(%x, axis=1) # s\n",
       "line 3: y: softmax: expected a rank above axis = 1"},
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
