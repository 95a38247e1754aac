// Whole archives that torch.export wrote, against the outputs that PyTorch computed for them.
#include "frontend/pt2/import.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "frontend/checkpoint/state_dict.h"
#include "frontend/pt2/pt2_archive.h"
#include "reference/executor.h"

namespace quantc::frontend {
namespace {

using testing::ElementsAre;

std::filesystem::path data_file(const std::string& name) { return "tests/data/pt2/" + name; }

double relative_l2(const ir::Tensor& found, const ir::Tensor& expected) {
  const auto a = found.values<float>();
  const auto b = expected.values<float>();
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    norm += std::pow(double{b[i]}, 2);
  }
  return std::sqrt(difference / norm);
}

struct Case {
  const char* file;
  const char* outputs;  ///< A checkpoint with tensors y00, y01, ...
};

class Archive : public testing::TestWithParam<Case> {};

TEST_P(Archive, ComputesWhatPyTorchComputes) {
  const ir::Graph graph = import_pt2(data_file(GetParam().file));
  const auto inputs = sample_inputs(read_pt2_archive(map_file(data_file(GetParam().file))));
  ASSERT_EQ(inputs.size(), 1U);
  const std::vector<ir::Tensor> outputs = reference::execute(graph, inputs);
  const StateDict expected = load_checkpoint(data_file(GetParam().outputs));
  ASSERT_EQ(outputs.size(), expected.tensors.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [name, tensor] = expected.tensors[i];
    SCOPED_TRACE(name);
    ASSERT_EQ(outputs[i].type(), tensor.type());
    EXPECT_LE(relative_l2(outputs[i], tensor), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pt2, Archive,
    testing::Values(Case{"toy_fp_torch2.6.pt2", "toy_fp_outputs.pth"},
                    Case{"toy_fp_torch2.14.pt2", "toy_fp_outputs.pth"},
                    Case{"toy_pt2e_xnnpack_torch2.6.pt2", "toy_pt2e_xnnpack_outputs.pth"},
                    Case{"toy_pt2e_xnnpack_torch2.14.pt2", "toy_pt2e_xnnpack_outputs.pth"},
                    Case{"toy_pt2e_c7x_torch2.14.pt2", "toy_pt2e_c7x_outputs.pth"},
                    Case{"linear_schema8.12.pt2", "linear_schema8.12_outputs.pth"},
                    Case{"mixed_torch2.3.pt2", "mixed_outputs.pth"},
                    Case{"mixed_torch2.5.pt2", "mixed_outputs.pth"},
                    Case{"ops_layers_torch2.6.pt2", "ops_layers_outputs.pth"},
                    Case{"ops_layers_torch2.14.pt2", "ops_layers_outputs.pth"},
                    Case{"ops_moves_torch2.6.pt2", "ops_moves_outputs.pth"},
                    Case{"ops_moves_torch2.14.pt2", "ops_moves_outputs.pth"},
                    Case{"ops_inplace_torch2.6.pt2", "ops_inplace_outputs.pth"},
                    Case{"ops_inplace_torch2.14.pt2", "ops_inplace_outputs.pth"}),
    [](const auto& row) {
      std::string name = row.param.file;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '.'; }, '_');
      return name;
    });

std::vector<std::string> constant_names(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const ir::Value& value : graph.values) {
    if (value.constant) names.push_back(value.name);
  }
  return names;
}

TEST(ImportPt2, NamesNodesAsTheProgramAndConstantsAsTheStateDict) {
  const ir::Graph graph = import_pt2(data_file("toy_fp_torch2.6.pt2"));
  EXPECT_EQ(graph.name, "toy_fp_torch2.6");
  std::vector<std::string> nodes;
  for (const ir::Node& node : graph.nodes) nodes.push_back(node.name);
  EXPECT_THAT(nodes, ElementsAre("conv2d", "batch_norm", "relu", "conv2d_1", "batch_norm_1", "add",
                                 "relu_1", "max_pool2d", "adaptive_avg_pool2d", "flatten", "linear",
                                 "add_1"));
  EXPECT_THAT(constant_names(graph),
              testing::IsSupersetOf({"conv.weight", "bn.running_var", "conv2.bias", "fc.weight"}));
}

TEST(ImportPt2, LeavesOutTheFloatWeightsOfAQuantizedProgram) {
  const ir::Graph graph = import_pt2(data_file("toy_pt2e_c7x_torch2.14.pt2"));
  EXPECT_THAT(constant_names(graph), testing::Contains("_frozen_param0"));
  EXPECT_THAT(constant_names(graph), testing::Not(testing::Contains("c1.weight")));
}

// What the first and the last such node of a program shall be, read off its JSON.
TEST(ImportPt2, KeepsThePlacesAndParametersOfQuantization) {
  const ir::Graph graph = import_pt2(data_file("toy_pt2e_c7x_torch2.14.pt2"));
  std::vector<ir::QuantParams> quantized;
  std::size_t dequantized = 0;
  for (const ir::Node& node : graph.nodes) {
    if (const auto* op = std::get_if<ir::Quantize>(&node.op)) quantized.push_back(op->params);
    if (std::holds_alternative<ir::Dequantize>(node.op)) ++dequantized;
  }
  ASSERT_EQ(quantized.size(), 10U);
  EXPECT_EQ(dequantized, 14U);
  EXPECT_EQ(quantized.front(),
            (ir::QuantParams{ir::DType::kInt8, -128, 127, {0.02725820057094097F}, {0}, {}}));
  EXPECT_EQ(quantized.back(),
            (ir::QuantParams{ir::DType::kInt8, -128, 127, {0.006431697402149439F}, {0}, {}}));
}

TEST(ImportPt2, WeightsOfTheNewLayoutAreViewsOnTheFile) {
  const SharedBytes file = map_file(data_file("linear_schema8.12.pt2"));
  const ir::Graph graph = import_pt2(file, "linear");
  for (const ir::Value& value : graph.values) {
    if (!value.constant) continue;
    const std::byte* data = value.constant->bytes().data();
    EXPECT_TRUE(data >= file.bytes.data() && data < file.bytes.data() + file.bytes.size())
        << value.name;
  }
}

}  // namespace
}  // namespace quantc::frontend
