// The zoo's table and what is built from it. torchvision_oracle.py judges keys, shapes and figures
// of every network; here are the promises of the interface.
#include "frontend/zoo/model_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontend/checkpoint/state_dict.h"
#include "frontend/zoo/figures.h"
#include "image/image.h"
#include "image/preprocess.h"
#include "reference/executor.h"

namespace quantc::frontend {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* kShippedModel = "data/models/squeezenet1_1.safetensors";

ir::Graph recorded(const ModelInfo& model, std::optional<std::int64_t> size = {}) {
  WeightRecorder recorder;
  return build_model(model, recorder, size);
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const ModelInfo& model : all_models()) list.emplace_back(model.name);
  return list;
}

class EveryModel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryModel, HasThePublishedFigures) {
  const ModelInfo& model = find_model(GetParam());
  WeightRecorder recorder;
  const ir::Graph graph = build_model(model, recorder);
  const Figures figures = figures_of(graph, recorder);
  // Published with the auxiliary classifier, which inference does without.
  const std::int64_t unused = model.name == "inception_v3" ? 3326696 : 0;
  EXPECT_EQ(figures.parameters + unused, model.parameters);
  EXPECT_NEAR(static_cast<double>(figures.macs) / 1e9, model.gmac, 0.0005);
}

TEST_P(EveryModel, TakesImagesFromItsSmallestSizeOn) {
  const ModelInfo& model = find_model(GetParam());
  std::vector<std::int64_t> sizes = {model.min_size, model.preprocessing.crop};
  if (!model.fixed_size) sizes.push_back(model.min_size + 100);
  for (const std::int64_t size : sizes) {
    const ir::Graph graph = recorded(model, size);
    EXPECT_EQ(graph.value(graph.inputs.at(0)).type.shape, (ir::Shape{1, 3, size, size}));
    EXPECT_EQ(graph.value(graph.outputs.at(0)).type.shape, (ir::Shape{1, 1000}));
  }
  EXPECT_THAT([&] { recorded(model, model.min_size - 1); },
              ThrowsMessage<InputError>(HasSubstr("input size: expected")));
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryModel, ::testing::ValuesIn(names()),
                         [](const auto& row) { return row.param; });

TEST(ModelTable, RefusesAHugeImage) {
  EXPECT_THAT([] { recorded(find_model("resnet18"), std::int64_t{1} << 40); },
              ThrowsMessage<InputError>(HasSubstr("resnet18: input size: expected 1 to 8192")));
}

TEST(ModelTable, UnknownNameListsClosestOnes) {
  struct Case {
    const char* typed;
    const char* meant;
  };
  const std::vector<Case> cases = {{"resnet55", "resnet50"},
                                   {"mobilenetv2", "mobilenet_v2"},
                                   {"VGG16_BN", "vgg16_bn"},
                                   {"squeezenet1.1", "squeezenet1_1"},
                                   {"resnext50", "resnext50_32x4d"}};
  for (const Case& row : cases) {
    EXPECT_THAT([&] { find_model(row.typed); }, ThrowsMessage<InputError>(HasSubstr(row.meant)));
  }
  EXPECT_THROW(find_model(""), InputError);
}

// Counted on TorchVision's modules: weights with more than one dimension.
TEST(Figures, Int8WeightBytes) {
  struct Case {
    const char* name;
    std::int64_t bytes;
  };
  const std::vector<Case> cases = {{"resnet18", 11678912},
                                   {"squeezenet1_1", 1231552},
                                   {"mobilenet_v2", 3469760},
                                   {"alexnet", 61090496},
                                   {"vgg16_bn", 138344128}};
  for (const Case& row : cases) {
    WeightRecorder recorder;
    const ir::Graph graph = build_model(find_model(row.name), recorder);
    EXPECT_EQ(figures_of(graph, recorder).int8_weight_bytes, row.bytes) << row.name;
  }
}

TEST(LoadModel, RefusesAnotherNetworksCheckpoint) {
  const StateDict state_dict = load_checkpoint(kShippedModel);
  EXPECT_THAT([&] { load_model(find_model("squeezenet1_0"), state_dict); },
              ThrowsMessage<InputError>(
                  HasSubstr("features.0.weight: expected shape [96,3,7,7], found [64,3,3,3]")));
}

// Top-1 class and logits of the shipped weights, widened to float32, in TorchVision 0.14.1 on
// Pillow 9.4.
TEST(LoadModel, ShippedModelClassifiesPhotos) {
  struct Case {
    const char* photo;
    std::ptrdiff_t best;
    float logit;
    std::ptrdiff_t second;
    float second_logit;
  };
  const std::vector<Case> cases = {{"data/photos/chelsea.png", 282, 27.93334F, 285, 27.69760F},
                                   {"data/photos/coffee.png", 967, 37.42915F, 925, 34.01682F},
                                   {"data/photos/dog.jpg", 258, 32.42903F, 270, 29.11547F},
                                   {"data/photos/rocket.jpg", 733, 17.71186F, 657, 17.16121F}};
  const ModelInfo& model = find_model("squeezenet1_1");
  const ir::Graph graph = load_model(model, load_checkpoint(kShippedModel));
  for (const Case& row : cases) {
    const ir::Tensor image = image::preprocess(image::decode_file(row.photo), model.preprocessing);
    const ir::Tensor output = reference::execute(graph, {image}).at(0);
    const auto logits = output.values<float>();
    EXPECT_EQ(std::ranges::max_element(logits) - logits.begin(), row.best) << row.photo;
    EXPECT_NEAR(logits[static_cast<std::size_t>(row.best)], row.logit, 1e-3) << row.photo;
    EXPECT_NEAR(logits[static_cast<std::size_t>(row.second)], row.second_logit, 1e-3) << row.photo;
  }
}

}  // namespace
}  // namespace quantc::frontend
