// Graph queries, dead code, and the verifier's rules.
#include "ir/graph.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace quantc::ir {
namespace {

using testing::ElementsAre;

Graph diamond() {
  return parse_graph(R"(graph @diamond
input %x : f32[1,4]
%a : f32[1,4] = relu(%x) # a
%dead : f32[1,4] = relu(%a) # dead
%b : f32[1,4] = add(%a, %a) # b
output %b
)");
}

TEST(Graph, UsersListsEveryRead) { EXPECT_THAT(users(diamond())[1], ElementsAre(1, 2, 2)); }

TEST(Graph, DeadNodesGo) {
  const Graph live = without_dead_nodes(diamond());
  EXPECT_EQ(live.nodes.size(), 2U);
  EXPECT_EQ(live.values.size(), 3U);
  verify(live);
}

TEST(Graph, NamesStayUnique) {
  Graph graph;
  graph.add_input("x", {DType::kFloat32, {1}});
  EXPECT_EQ(graph.value(graph.add_node("x", Relu{}, {0})).name, "x.1");
}

TEST(Graph, MultiplyAccumulates) {
  struct Row {
    Op op;
    std::vector<Shape> inputs;
    std::int64_t macs;
  };
  const std::vector<Row> rows = {
      // 3x3, 4 -> 6 channels in 2 groups on an 8x8 output: 6*64 outputs of 2*9 products.
      {Conv2d{.padding = {1, 1, 1, 1}, .groups = 2},
       {{1, 4, 8, 8}, {6, 2, 3, 3}},
       std::int64_t{6} * 64 * 18},
      // Each of 4*25 inputs meets 3*2*2 weights.
      {ConvTranspose2d{.stride = {2, 2}}, {{1, 4, 5, 5}, {4, 3, 2, 2}}, std::int64_t{100} * 12},
      {Linear{}, {{2, 7, 10}, {5, 10}, {5}}, std::int64_t{14} * 5 * 10},
      {Matmul{}, {{4, 1, 5, 7}, {3, 7, 6}}, std::int64_t{12} * 5 * 7 * 6},
      {Add{}, {{4}, {4}}, 0},
  };
  for (const Row& row : rows) {
    Graph graph;
    std::vector<ValueId> inputs;
    for (const Shape& shape : row.inputs) {
      inputs.push_back(graph.add_input("x", {DType::kFloat32, shape}));
    }
    graph.add_node("y", row.op, inputs);
    EXPECT_EQ(mac_count(graph, graph.nodes[0]), row.macs) << name_of(row.op);
  }
}

TEST(Verify, BrokenGraphsAreRefused) {
  struct Break {
    const char* what;
    void (*apply)(Graph&);
  };
  const std::vector<Break> breaks = {
      {"order", [](Graph& g) { std::swap(g.nodes[0], g.nodes[2]); }},
      {"unknown id", [](Graph& g) { g.nodes[0].inputs[0] = 99; }},
      {"two producers", [](Graph& g) { g.nodes[1].output = g.nodes[0].output; }},
      {"type", [](Graph& g) { g.values[3].type.shape = {4}; }},
      {"duplicate name", [](Graph& g) { g.values[1].name = "x"; }},
      {"no output", [](Graph& g) { g.outputs.clear(); }},
  };
  for (const Break& broken : breaks) {
    Graph graph = diamond();
    broken.apply(graph);
    EXPECT_THROW(verify(graph), InternalError) << broken.what;
  }
}

TEST(Verify, UnusableQuantParamsAreRefused) {
  struct Row {
    const char* message;
    QuantParams params;
  };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Row> rows = {
      {"the scale 0.0", {.scale = {0}, .zero_point = {0}}},
      {"the scale -1.0", {.scale = {-1}, .zero_point = {0}}},
      {"the scale inf", {.scale = {kInfinity}, .zero_point = {0}}},
      {"the scale nan", {.scale = {kNaN}, .zero_point = {0}}},
      {"the scale 0.0", {.scale = {1, 1, 0}, .zero_point = {0, 0, 0}, .axis = 1}},
      {"codes of f32", {.dtype = DType::kFloat32, .scale = {1}, .zero_point = {0}}},
      {"codes of i64", {.dtype = DType::kInt64, .scale = {1}, .zero_point = {0}}},
      {"the range [-129,127] of i8", {.qmin = -129, .scale = {1}, .zero_point = {0}}},
      {"the range [-128,128] of i8", {.qmax = 128, .scale = {1}, .zero_point = {0}}},
      {"the range [-1,255] of u8",
       {.dtype = DType::kUInt8, .qmin = -1, .qmax = 255, .scale = {1}, .zero_point = {0}}},
      {"the range [0,32768] of i16",
       {.dtype = DType::kInt16, .qmin = 0, .qmax = 32768, .scale = {1}, .zero_point = {0}}},
      {"the range [1,0] of i8", {.qmin = 1, .qmax = 0, .scale = {1}, .zero_point = {0}}},
      {"the zero point -128 outside of [-127,127]",
       {.qmin = -127, .scale = {1}, .zero_point = {-128}}},
      {"the zero point 128 outside of [-128,127]", {.scale = {1}, .zero_point = {128}}},
      {"needs 1 scales and zero points, found 0 and 0", {}},
      {"needs 1 scales and zero points, found 2 and 1", {.scale = {1, 1}, .zero_point = {0}}},
      {"needs 3 scales and zero points, found 1 and 1",
       {.scale = {1}, .zero_point = {0}, .axis = 1}},
      {"needs 3 scales and zero points, found 3 and 1",
       {.scale = {1, 1, 1}, .zero_point = {0}, .axis = 1}},
      {"an axis outside of i8[2,3]", {.scale = {1}, .zero_point = {0}, .axis = 2}},
      {"an axis outside of i8[2,3]", {.scale = {1}, .zero_point = {0}, .axis = -1}},
  };
  for (const Row& row : rows) {
    Graph graph;
    const ValueId x = graph.add_input("x", {DType::kFloat32, {2, 3}});
    graph.outputs = {graph.add_node("q", Quantize{row.params}, {x})};
    EXPECT_THAT([&] { verify(graph); },
                testing::ThrowsMessage<InternalError>(testing::HasSubstr(row.message)));
  }
}

TEST(Verify, DequantizeIsCheckedToo) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::kInt8, {1}});
  graph.outputs = {graph.add_node("dq", Dequantize{{.scale = {0}, .zero_point = {0}}}, {x})};
  EXPECT_THROW(verify(graph), InternalError);
}

TEST(Verify, UsableQuantParamsPass) {
  const std::vector<QuantParams> rows = {
      {.qmin = -127, .scale = {0.5F}, .zero_point = {127}},
      {.dtype = DType::kUInt8, .qmin = 0, .qmax = 255, .scale = {1}, .zero_point = {255}},
      {.dtype = DType::kInt16, .qmin = -32768, .qmax = 32767, .scale = {1}, .zero_point = {0}},
      {.dtype = DType::kInt32,
       .qmin = std::numeric_limits<std::int32_t>::min(),
       .qmax = std::numeric_limits<std::int32_t>::max(),
       .scale = {1, 2, 3},
       .zero_point = {0, 0, 0},
       .axis = 1},
  };
  for (const QuantParams& params : rows) {
    Graph graph;
    const ValueId x = graph.add_input("x", {DType::kFloat32, {2, 3}});
    graph.outputs = {graph.add_node("q", Quantize{params}, {x})};
    EXPECT_NO_THROW(verify(graph)) << name_of(params.dtype);
  }
}

}  // namespace
}  // namespace quantc::ir
