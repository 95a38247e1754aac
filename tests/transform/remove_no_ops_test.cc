// Nodes that change nothing go; inputs and outputs of the graph keep their names.
#include "text_pass.h"

namespace quantc::transform {
namespace {

// One node between two others.
std::string between(const std::string& node) {
  return R"(graph @g
input %x : f32[1,2,3,3]
%a : f32[1,2,3,3] = relu(%x) # a
%n : )" + node +
         R"( # n
%y : f32[1,2,3,3] = relu(%n) # y
output %y
)";
}

constexpr const char* kWithout = R"(graph @g
input %x : f32[1,2,3,3]
%a : f32[1,2,3,3] = relu(%x) # a
%y : f32[1,2,3,3] = relu(%a) # y
output %y
)";

TEST(RemoveNoOps, NoOpsGo) {
  for (const char* node : {
           "f32[1,2,3,3] = reshape(%a, shape=[1,2,3,3])",
           "f32[1,2,3,3] = reshape(%a, shape=[1,-1,3,3])",
           "f32[1,2,3,3] = flatten(%a, start_dim=3)",
           "f32[1,2,3,3] = adaptive_avg_pool2d(%a, output=[3,3])",
           "f32[1,2,3,3] = max_pool2d(%a, kernel=[1,1], stride=[1,1])",
           "f32[1,2,3,3] = avg_pool2d(%a, kernel=[1,1], stride=[1,1])",
           "f32[1,2,3,3] = clip(%a, min=-inf, max=inf)",
           "f32[1,2,3,3] = concat(%a, axis=1)",
       }) {
    EXPECT_EQ(applied(remove_no_ops, between(node)), printed(kWithout)) << node;
  }
}

TEST(RemoveNoOps, OthersStay) {
  for (const char* node : {
           "f32[1,2,3,3] = max_pool2d(%a, kernel=[3,3], stride=[1,1], padding=[1,1,1,1])",
           "f32[1,2,3,3] = avg_pool2d(%a, kernel=[3,3], stride=[1,1], padding=[1,1,1,1])",
           "f32[1,2,3,3] = clip(%a, min=-inf, max=6)",
           "f32[1,2,3,3] = relu(%a)",
           "f32[1,2,3,3] = add(%a, %x)",
       }) {
    expect_unchanged(remove_no_ops, between(node));
  }
  expect_unchanged(remove_no_ops, R"(graph @g
input %x : f32[1,2,3,3]
%p : f32[1,2,2,2] = max_pool2d(%x, kernel=[1,1], stride=[2,2]) # p
%y : f32[1,8] = reshape(%p, shape=[1,8]) # y
output %y
)");
}

TEST(RemoveNoOps, TheProducerMakesTheOutput) {
  EXPECT_EQ(applied(remove_no_ops, R"(graph @g
input %x : f32[1,4]
%a : f32[1,4] = relu(%x) # a
%b : f32[1,4] = flatten(%a, start_dim=1) # b
%c : f32[1,4] = clip(%b) # c
%d : f32[1,4] = relu(%a) # d
output %c
output %d
)"),
            printed(R"(graph @g
input %x : f32[1,4]
%c : f32[1,4] = relu(%x) # a
%d : f32[1,4] = relu(%c) # d
output %c
output %d
)"));
}

TEST(RemoveNoOps, NodesBetweenInputsAndOutputsStay) {
  const std::vector<const char*> graphs = {
      R"(graph @g
input %x : f32[1,4]
%y : f32[1,4] = flatten(%x, start_dim=1) # y
output %y
)",
      R"(graph @g
input %x : f32[1,4]
%y : f32[1,4] = relu(%x) # y
%z : f32[1,4] = flatten(%y, start_dim=1) # z
output %y
output %z
)",
      R"(graph @g
input %x : f32[1]
const %c : f32[2] = {1,2}
%z : f32[2] = clip(%c) # z
output %z
)",
  };
  for (const char* text : graphs) expect_unchanged(remove_no_ops, text);
}

// The first output takes the producer's place, the second keeps its node.
TEST(RemoveNoOps, TwoOutputsOfOneValue) {
  EXPECT_EQ(applied(remove_no_ops, R"(graph @g
input %x : f32[1,4]
%a : f32[1,4] = relu(%x) # a
%y : f32[1,4] = clip(%a) # y
%z : f32[1,4] = clip(%a) # z
output %z
output %y
)"),
            printed(R"(graph @g
input %x : f32[1,4]
%y : f32[1,4] = relu(%x) # a
%z : f32[1,4] = clip(%y) # z
output %z
output %y
)"));
}

}  // namespace
}  // namespace quantc::transform
