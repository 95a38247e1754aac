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

TEST(Graph, UsersListsEveryRead) {
  EXPECT_THAT(users(diamond())[1], ElementsAre(1, 2, 2));
}

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

TEST(Graph, MacsOfConvolutions) {
  // 3x3, 4 -> 6 channels in 2 groups on an 8x8 output: 6*64 outputs of 2*9 products.
  const Graph graph = parse_graph(R"(graph @g
input %x : f32[1,4,8,8]
const %w : f32[6,2,3,3] = {...}
%y : f32[1,6,8,8] = conv2d(%x, %w, padding=[1,1,1,1], groups=2) # y
output %y
)");
  EXPECT_EQ(mac_count(graph, graph.nodes[0]), 6 * 64 * 18);
}

TEST(Verify, BrokenGraphsAreRefused) {
  struct Break {
    const char* what;
    void (*apply)(Graph&);
  };
  const Break breaks[] = {
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

TEST(Verify, UnusableScalesAreRefused) {
  for (const float scale : {0.0F, -1.0F, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    Graph graph;
    const ValueId x = graph.add_input("x", {DType::kFloat32, {1}});
    graph.outputs = {graph.add_node("q", Quantize{{.scale = {scale}, .zero_point = {0}}}, {x})};
    EXPECT_THROW(verify(graph), InternalError) << scale;
  }
}

}  // namespace
}  // namespace quantc::ir
