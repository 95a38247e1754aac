// All passes together: what is left, and that it computes the same.
#include <random>

#include "reference/executor.h"
#include "text_pass.h"

namespace quantc::transform {
namespace {

// A block with everything that folds, and a second branch that must not.
constexpr const char* kBlock = R"(graph @block
input %x : f32[2,8,9,9]
const %w1 : f32[12,4,3,3] = {...}
const %b1 : f32[12,1,1] = {...}
const %w2 : f32[12,8,2,2] = {...}
const %w3 : f32[5,16] = {...}
const %b3 : f32[1,5] = {...}
const %gamma1 : f32[12] = {...}
const %beta1 : f32[12] = {...}
const %mean1 : f32[12] = {...}
const %var1 : f32[12] = {...}
const %gamma2 : f32[16] = {...}
const %beta2 : f32[16] = {...}
const %mean2 : f32[16] = {...}
const %var2 : f32[16] = {...}
%bias1 : f32[12] = reshape(%b1, shape=[12]) # bias1
%conv : f32[2,12,5,5] = conv2d(%x, %w1, %bias1, stride=[2,2], padding=[1,1,1,1], groups=2) # conv
%bn1 : f32[2,12,5,5] = batch_norm(%conv, %gamma1, %beta1, %mean1, %var1) # bn1
%relu : f32[2,12,5,5] = relu(%bn1) # relu
%same : f32[2,12,5,5] = adaptive_avg_pool2d(%relu, output=[5,5]) # same
%up : f32[2,16,10,10] = conv_transpose2d(%same, %w2, stride=[2,2], groups=2) # up
%bn2 : f32[2,16,10,10] = batch_norm(%up, %gamma2, %beta2, %mean2, %var2) # bn2
%sum : f32[2,16,10,10] = add(%bn2, %up) # sum
%pool : f32[2,16,1,1] = adaptive_avg_pool2d(%sum, output=[1,1]) # pool
%flat : f32[2,16] = flatten(%pool) # flat
%fc : f32[2,5] = linear(%flat, %w3) # fc
%logits : f32[2,5] = add(%fc, %b3) # logits
%out : f32[2,5] = reshape(%logits, shape=[2,5]) # out
output %out
)";

ir::Tensor noise(const ir::Shape& shape, std::mt19937& random) {
  std::uniform_real_distribution<float> uniform(0.1F, 1.5F);
  std::vector<float> values(static_cast<std::size_t>(ir::element_count(shape)));
  for (float& value : values) value = uniform(random);
  return ir::Tensor::of(shape, values);
}

ir::Graph random_block(std::mt19937& random) {
  ir::Graph graph = ir::parse_graph(kBlock);
  for (ir::Value& value : graph.values) {
    if (value.constant) value.constant = noise(value.type.shape, random);
  }
  return graph;
}

TEST(Canonicalize, NodesThatStay) {
  std::mt19937 random(1);
  const ir::Graph graph = canonicalize(random_block(random));
  std::vector<std::string> nodes;
  for (const ir::Node& node : graph.nodes) nodes.push_back(node.name);
  EXPECT_THAT(nodes,
              testing::ElementsAre("conv", "relu", "up", "bn2", "sum", "pool", "flat", "fc"));
  EXPECT_EQ(graph.value(graph.outputs.at(0)).name, "out");
}

TEST(Canonicalize, ComputesTheSame) {
  std::mt19937 random(1);
  const ir::Graph graph = random_block(random);
  const ir::Tensor x = noise({2, 8, 9, 9}, random);
  const ir::Tensor expected = reference::execute(graph, {x}).at(0);
  const ir::Tensor actual = reference::execute(canonicalize(graph), {x}).at(0);
  for (std::size_t i = 0; i < expected.values<float>().size(); ++i) {
    const float wanted = expected.values<float>()[i];
    EXPECT_NEAR(actual.values<float>()[i], wanted, 2e-6F * std::abs(wanted)) << i;
  }
}

TEST(Canonicalize, ASecondTimeChangesNothing) {
  std::mt19937 random(1);
  const ir::Graph once = canonicalize(random_block(random));
  EXPECT_EQ(ir::to_text(canonicalize(once)), ir::to_text(once));
}

}  // namespace
}  // namespace quantc::transform
