// What is special about the zoo's transformers: sizes they refuse, sizes that need padding, tensors
// of a checkpoint that are computed, constants that fold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontend/checkpoint/state_dict.h"
#include "frontend/zoo/model_table.h"
#include "reference/executor.h"
#include "transform/passes.h"

namespace quantc::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ir::Tensor random_image(std::int64_t size) {
  return SyntheticWeights(2).get("image", {1, 3, size, size}, ParameterRole::kEmbedding);
}

std::vector<std::string> names_of_nodes_on_constants(const ir::Graph& graph) {
  const auto is_constant = [&](ir::ValueId id) { return graph.is_constant(id); };
  std::vector<std::string> names;
  for (const ir::Node& node : graph.nodes) {
    if (std::ranges::all_of(node.inputs, is_constant)) names.push_back(node.name);
  }
  return names;
}

const ir::Node& node_named(const ir::Graph& graph, const std::string& name) {
  const auto node = std::ranges::find(graph.nodes, name, &ir::Node::name);
  if (node == graph.nodes.end()) throw InternalError("no node " + name);
  return *node;
}

const ir::Tensor& constant_named(const ir::Graph& graph, const std::string& name) {
  return std::ranges::find(graph.values, name, &ir::Value::name)->constant.value();
}

TEST(InputSize, NetworksWithPositionsForOneSizeRefuseOthers) {
  struct Case {
    const char* name;
    std::int64_t size;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"vit_b_16", 384, "vit_b_16: input size: expected exactly 224, found 384"},
      {"vit_l_32", 223, "vit_l_32: input size: expected exactly 224, found 223"},
      {"vit_h_14", 224, "vit_h_14: input size: expected exactly 518, found 224"},
      {"maxvit_t", 448, "maxvit_t: input size: expected exactly 224, found 448"}};
  for (const Case& row : cases) {
    WeightRecorder recorder;
    EXPECT_THAT([&] { build_model(find_model(row.name), recorder, row.size); },
                ThrowsMessage<InputError>(HasSubstr(row.message)));
  }
}

// Sizes at which windows and merged patches need padding, and windows are shifted in each stage.
// Expected: TorchVision 0.14.1 with the same weights and image, which a Python program drew.
TEST(InputSize, OthersArePaddedAsTorchVisionDoes) {
  struct Case {
    const char* name;
    std::int64_t size;
    std::ptrdiff_t best;
    std::vector<float> first_logits;
  };
  const std::vector<Case> cases = {
      {"swin_t", 250, 956, {-0.14189023F, 0.69269019F, 1.11701703F, 0.24685037F}},
      {"swin_v2_t", 281, 956, {-1.07299209F, 0.07850032F, 1.80511677F, 0.08568627F}},
      {"convnext_tiny", 61, 277, {1.22449446F, -1.75664532F, 0.26214913F, -0.2911962F}}};
  for (const Case& row : cases) {
    SyntheticWeights weights(3);
    const ir::Graph graph = build_model(find_model(row.name), weights, row.size);
    const ir::Tensor output = reference::execute(graph, {random_image(row.size)}).at(0);
    const auto logits = output.values<float>();
    EXPECT_EQ(std::ranges::max_element(logits) - logits.begin(), row.best) << row.name;
    for (std::size_t i = 0; i < row.first_logits.size(); ++i) {
      EXPECT_NEAR(logits[i], row.first_logits[i], 2e-5) << row.name << " " << i;
    }
  }
}

class Buffers : public ::testing::Test {
 protected:
  // A checkpoint of zeros, and one more tensor unless its name is empty.
  static StateDict checkpoint(const ModelInfo& model, const std::string& key,
                              const ir::Tensor& tensor) {
    WeightRecorder recorder;
    StateDict state_dict;
    state_dict.path = "weights.pth";
    for (const ExpectedTensor& expected : expected_tensors(model)) {
      state_dict.tensors.emplace_back(
          expected.key, recorder.get(expected.key, expected.shape, ParameterRole::kWeight));
    }
    if (!key.empty()) state_dict.tensors.emplace_back(key, tensor);
    return state_dict;
  }

  static ir::Tensor zeros_i64(const ir::Shape& shape) {
    return ir::Tensor::of(
        shape, std::vector<std::int64_t>(static_cast<std::size_t>(ir::element_count(shape)), 0));
  }
};

// The row of the table for a window's first pixel and itself is the middle one of 13 x 13.
TEST_F(Buffers, AreComputedWhetherTheFileHasThemOrNot) {
  const ModelInfo& model = find_model("swin_t");
  const std::string key = "features.1.0.attn.relative_position_index";
  for (const std::string& stored : {std::string(), key}) {
    const ir::Graph graph = load_model(model, checkpoint(model, stored, zeros_i64({2401})));
    EXPECT_EQ(constant_named(graph, key).values<std::int64_t>()[0], 6 * 13 + 6);
  }
}

TEST_F(Buffers, OfAnotherShapeOrNameAreRefused) {
  struct Case {
    const char* network;
    const char* key;
    ir::Shape shape;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"swin_t",
       "features.1.0.attn.relative_position_index",
       {20736},
       "features.1.0.attn.relative_position_index: expected shape [2401], found [20736]"},
      {"swin_v2_t",
       "features.1.0.attn.relative_coords_table",
       {1, 31, 31, 2},
       "features.1.0.attn.relative_coords_table: expected shape [1,15,15,2], found [1,31,31,2]"},
      {"swin_t",
       "features.1.0.attn.relative_coords_table",
       {1, 13, 13, 2},
       "unexpected features.1.0.attn.relative_coords_table [1,13,13,2]"}};
  for (const Case& row : cases) {
    const ModelInfo& model = find_model(row.network);
    EXPECT_THAT([&] { load_model(model, checkpoint(model, row.key, zeros_i64(row.shape))); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("weights.pth"), HasSubstr(row.message))));
  }
}

TEST(Constants, FoldAtCompileTime) {
  for (const char* name : {"swin_t", "swin_v2_t", "vit_b_32", "maxvit_t"}) {
    WeightRecorder recorder;
    const ir::Graph graph = transform::canonicalize(build_model(find_model(name), recorder));
    EXPECT_THAT(names_of_nodes_on_constants(graph), ::testing::IsEmpty()) << name;
  }
}

// Weights in which every logarithmic scale is far above ln(100).
class SteepWeights : public SyntheticWeights {
 public:
  SteepWeights() : SyntheticWeights(1) {}
  ir::Tensor get(const std::string& key, const ir::Shape& shape, ParameterRole role) override {
    if (role != ParameterRole::kLogScale) return SyntheticWeights::get(key, shape, role);
    return ir::Tensor::of(
        shape, std::vector<float>(static_cast<std::size_t>(ir::element_count(shape)), 6.0F));
  }
};

TEST(Constants, CosineAttentionHasNoKeyBiasAndNoFactorAbove100) {
  SteepWeights weights;
  const ir::Graph graph = transform::canonicalize(build_model(find_model("swin_v2_t"), weights));
  const ir::Node& qkv = node_named(graph, "features.1.0.attn.qkv");
  const ir::Tensor& folded = *graph.value(qkv.inputs.at(2)).constant;
  const auto bias = folded.values<float>();
  EXPECT_THAT(bias.subspan(0, 96), Each(::testing::Ne(0.0F)));
  EXPECT_THAT(bias.subspan(96, 96), Each(0.0F));
  EXPECT_THAT(bias.subspan(192, 96), Each(::testing::Ne(0.0F)));
  const ir::Node& scale = node_named(graph, "features.1.0.attn.scale");
  EXPECT_THAT(graph.value(scale.inputs.at(1)).constant->values<float>(),
              Each(::testing::FloatNear(100.0F, 1e-4F)));
}

double deviation_of(std::span<const float> values) {
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto count = static_cast<double>(values.size());
  return std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)));
}

// A softmax over n is neither uniform nor does it choose one: its deviation is between 0 and that
// of a one and n - 1 zeros, 1 / sqrt(n) for large n.
TEST(SyntheticTransformers, KeepActivationsAndAttentionAlive) {
  for (const char* name : {"convnext_tiny", "vit_b_32", "swin_t", "swin_v2_t", "maxvit_t"}) {
    const ModelInfo& model = find_model(name);
    SyntheticWeights weights(1);
    const ir::Graph graph = build_model(model, weights);
    const auto producers = ir::producers(graph);
    reference::execute(
        graph, {random_image(model.preprocessing.crop)},
        [&](ir::ValueId id, const ir::Tensor& tensor) {
          const auto producer = producers.at(static_cast<std::size_t>(id));
          if (!producer) return;
          const bool is_softmax = std::holds_alternative<ir::Softmax>(graph.node(*producer).op);
          const auto size = static_cast<double>(tensor.shape().back());
          const double deviation = deviation_of(tensor.values<float>());
          EXPECT_GT(deviation, is_softmax ? 0.2 / size : 0.01) << graph.value(id).name;
          EXPECT_LT(deviation, is_softmax ? 0.7 / std::sqrt(size) : 100) << graph.value(id).name;
        });
  }
}

}  // namespace
}  // namespace quantc::frontend
