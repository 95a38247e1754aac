// Rules for published checkpoints, on state dicts of a few tensors. torchvision_oracle.py loads
// whole checkpoints with old keys, auxiliary heads and versions.
#include "frontend/zoo/checkpoint_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace quantc::frontend {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

StateDict state_dict_of(const std::vector<std::string>& keys) {
  StateDict state_dict{.path = "file.pth", .tensors = {}, .versions = {}};
  for (const std::string& key : keys) {
    state_dict.tensors.emplace_back(key, ir::Tensor::of({1}, std::vector<float>{1.0F}));
  }
  return state_dict;
}

std::vector<std::string> keys_of(const StateDict& state_dict) {
  std::vector<std::string> keys;
  for (const auto& [key, tensor] : state_dict.tensors) keys.push_back(key);
  return keys;
}

TEST(CheckpointRules, BringKeysUpToDate) {
  struct Case {
    const char* model;
    std::vector<std::string> found;
    std::vector<std::string> fitted;
    std::vector<std::string> rules;
  };
  const std::string layer = "features.denseblock1.denselayer12.";
  const std::string encoder = "encoder.layers.encoder_layer_0.";
  const std::vector<Case> cases = {
      {"densenet121",
       {"features.norm0.weight", layer + "norm.1.running_mean", layer + "conv.1.weight",
        layer + "norm.2.bias", layer + "conv.2.weight", "features.transition1.norm.weight",
        "features.transition1.conv.weight"},
       {"features.norm0.weight", layer + "norm1.running_mean", layer + "conv1.weight",
        layer + "norm2.bias", layer + "conv2.weight", "features.transition1.norm.weight",
        "features.transition1.conv.weight"},
       {"renamed .norm.1. to .norm1.", "renamed .conv.1. to .conv1.", "renamed .norm.2. to .norm2.",
        "renamed .conv.2. to .conv2."}},
      {"densenet121", {layer + "norm1.weight"}, {layer + "norm1.weight"}, {}},
      {"vit_b_32",
       {encoder + "mlp.linear_1.weight", encoder + "mlp.linear_2.bias", encoder + "ln_1.weight"},
       {encoder + "mlp.0.weight", encoder + "mlp.3.bias", encoder + "ln_1.weight"},
       {"renamed .mlp.linear_1. to .mlp.0.", "renamed .mlp.linear_2. to .mlp.3."}},
      {"googlenet",
       {"conv1.conv.weight", "aux1.fc1.weight", "aux2.conv.bn.bias"},
       {"conv1.conv.weight"},
       {"ignored aux1.*, which only training uses", "ignored aux2.*, which only training uses"}},
      {"inception_v3",
       {"AuxLogits.fc.bias", "fc.bias"},
       {"fc.bias"},
       {"ignored AuxLogits.*, which only training uses"}},
      {"resnet18",
       {"aux1.fc1.weight", "a.norm.1.weight"},
       {"aux1.fc1.weight", "a.norm.1.weight"},
       {}}};
  for (const Case& row : cases) {
    const FittedCheckpoint fitted = fit_checkpoint(find_model(row.model), state_dict_of(row.found));
    EXPECT_THAT(keys_of(fitted.state_dict), ElementsAreArray(row.fitted)) << row.model;
    std::vector<std::string> rules;
    for (const AppliedRule& rule : fitted.rules) rules.push_back(rule.rule);
    EXPECT_THAT(rules, ElementsAreArray(row.rules)) << row.model;
  }
}

TEST(CheckpointRules, CountTensors) {
  const FittedCheckpoint fitted =
      fit_checkpoint(find_model("googlenet"), state_dict_of({"aux1.a", "aux1.b", "aux2.a", "x"}));
  EXPECT_EQ(fitted.rules.at(0).tensors, 2);
  EXPECT_EQ(fitted.rules.at(1).tensors, 1);
}

TEST(CheckpointRules, RefuseTwoNamesOfOneTensor) {
  struct Case {
    const char* model;
    std::vector<std::string> keys;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"densenet121",
       {"l.norm1.bias", "l.norm.1.bias"},
       "file.pth: l.norm.1.bias and l.norm1.bias: expected one"},
      {"vit_b_32",
       {"e.mlp.linear_2.bias", "e.mlp.3.bias"},
       "file.pth: e.mlp.linear_2.bias and e.mlp.3.bias: expected one"}};
  for (const Case& row : cases) {
    EXPECT_THAT([&] { fit_checkpoint(find_model(row.model), state_dict_of(row.keys)); },
                ThrowsMessage<InputError>(HasSubstr(row.message)));
  }
}

// Shapes of layers.0, 3 and 6, from TorchVision 0.14.1 with `_metadata` of either version.
TEST(CheckpointRules, MnasNetVersionDecidesOnTheStem) {
  using Shapes = std::vector<ir::Shape>;
  const Shapes fixed = {{32, 3, 3, 3}, {32, 1, 3, 3}, {16, 32, 1, 1}};
  const Shapes half = {{16, 3, 3, 3}, {16, 1, 3, 3}, {8, 16, 1, 1}};
  const Shapes more = {{40, 3, 3, 3}, {40, 1, 3, 3}, {24, 40, 1, 1}};
  struct Case {
    const char* model;
    std::map<std::string, std::int64_t> versions;
    Shapes stem;
  };
  const std::vector<Case> cases = {{"mnasnet0_5", {{"", 1}}, fixed},
                                   {"mnasnet0_5", {{"", 2}}, half},
                                   {"mnasnet0_5", {}, half},
                                   {"mnasnet0_5", {{"layers.0", 1}}, half},
                                   {"mnasnet0_5", {{"", 1}, {"module", 2}}, half},
                                   {"mnasnet0_5", {{"", 1}, {"module", 1}}, fixed},
                                   {"mnasnet1_0", {{"", 1}}, fixed},
                                   {"mnasnet1_3", {{"", 1}}, fixed},
                                   {"mnasnet1_3", {{"", 2}}, more}};
  for (const Case& row : cases) {
    StateDict state_dict;
    state_dict.versions = row.versions;
    Shapes stem;
    for (const ExpectedTensor& tensor :
         expected_tensors(fit_checkpoint(find_model(row.model), state_dict).model)) {
      const bool is_stem = tensor.key == "layers.0.weight" || tensor.key == "layers.3.weight" ||
                           tensor.key == "layers.6.weight";
      if (is_stem) stem.push_back(tensor.shape);
    }
    EXPECT_EQ(stem, row.stem) << row.model;
  }
}

TEST(CheckpointRules, RefuseAMnasNetOfTheFuture) {
  StateDict state_dict;
  state_dict.path = "file.pth";
  state_dict.versions[""] = 3;
  EXPECT_THAT([&] { fit_checkpoint(find_model("mnasnet1_0"), state_dict); },
              ThrowsMessage<InputError>(
                  HasSubstr("file.pth: metadata: expected version 1 or 2 of MnasNet, found 3")));
}

}  // namespace
}  // namespace quantc::frontend
