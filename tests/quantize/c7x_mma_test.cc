// Preset c7x-mma against a network that TI's own quantizer quantized.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "quantize/quantize.h"
#include "quantize/weights.h"

namespace quantc::quantize {
namespace {

nlohmann::json golden() {
  std::ifstream file("tests/data/quantize/golden_c7x_mma.json");
  return nlohmann::json::parse(file);
}

constexpr const char* kToy = R"(graph @toy
input %x : f32[1,3,8,8]
const %w1 : f32[8,3,3,3] = {...}
const %b1 : f32[8] = {...}
const %w2 : f32[8,1,3,3] = {...}
const %b2 : f32[8] = {...}
const %w3 : f32[5,8] = {...}
const %b3 : f32[5] = {...}
%c1 : f32[1,8,8,8] = conv2d(%x, %w1, %b1, padding=[1,1,1,1])
%r : f32[1,8,8,8] = relu(%c1)
%c2 : f32[1,8,8,8] = conv2d(%r, %w2, %b2, padding=[1,1,1,1], groups=8)
%s : f32[1,8,8,8] = silu(%c2)
%a : f32[1,8,8,8] = add(%r, %s)
%m : f32[1,8,4,4] = max_pool2d(%a, kernel=[2,2], stride=[2,2])
%p : f32[1,8,1,1] = adaptive_avg_pool2d(%m, output=[1,1])
%f : f32[1,8] = flatten(%p, start_dim=1)
%y : f32[1,5] = linear(%f, %w3, %b3)
output %y
)";

ir::Graph toy(const nlohmann::json& layers) {
  ir::Graph graph = ir::parse_graph(kToy);
  for (ir::Value& value : graph.values) {
    if (!value.constant) continue;
    const auto& layer = layers.at(static_cast<std::size_t>(value.name[1] - '1'));
    const char* key = value.name[0] == 'w' ? "weight" : "bias";
    value.constant = ir::Tensor::of(value.type.shape, layer.at(key).get<std::vector<float>>());
  }
  return graph;
}

ir::Graph quantized_toy(const nlohmann::json& layers) {
  std::vector<float> photo;
  for (int i = 0; i < 192; ++i) photo.push_back(static_cast<float>(i * 37 % 101) * 0.05F - 2.5F);
  bool seen = false;
  const auto once = [&]() -> std::optional<ir::Tensor> {
    if (std::exchange(seen, true)) return std::nullopt;
    return ir::Tensor::of({1, 3, 8, 8}, photo);
  };
  return quantize(toy(layers), once, {.preset = Preset::kC7xMma}).graph;
}

TEST(C7xMma, WeightsAreTis) {
  const nlohmann::json data = golden();
  for (const auto& layer : data.at("layers")) {
    SCOPED_TRACE(layer.at("name").get<std::string>());
    const auto weight = ir::Tensor::of(layer.at("shape").get<ir::Shape>(),
                                       layer.at("weight").get<std::vector<float>>());
    const IntegerWeights weights =
        quantize_weights(weight, {}, {.qmin = -128, .qmax = 127, .fits_bias = false});
    EXPECT_THAT(weights.params.scale,
                testing::ElementsAreArray(layer.at("scale").get<std::vector<float>>()));
    const auto codes = weights.codes.values<std::int8_t>();
    EXPECT_THAT(std::vector<int>(codes.begin(), codes.end()),
                testing::ElementsAreArray(layer.at("codes").get<std::vector<int>>()));
  }
}

// The Quantize nodes on results, in order, and which of them each op reads.
struct Edges {
  std::vector<std::string> quantized;
  std::vector<float> scales;
  std::vector<std::pair<std::string, int>> reads;
};

Edges edges_of(const ir::Graph& graph) {
  Edges edges;
  std::map<ir::ValueId, std::string> producer;
  std::map<ir::ValueId, int> codes;
  for (const ir::ValueId input : graph.inputs) producer[input] = "x";
  for (const ir::Node& node : graph.nodes) {
    const ir::ValueId from = node.inputs[0];
    if (const auto* quantize = std::get_if<ir::Quantize>(&node.op)) {
      codes[node.output] = static_cast<int>(edges.quantized.size());
      edges.quantized.push_back(producer.at(from));
      edges.scales.push_back(quantize->params.scale.at(0));
    } else if (std::holds_alternative<ir::Dequantize>(node.op)) {
      if (codes.contains(from)) codes[node.output] = codes[from];
    } else {
      producer[node.output] = ir::name_of(node.op);
      const bool weighted = producer[node.output] == "conv2d" || producer[node.output] == "linear";
      for (std::size_t i = 0; i < (weighted ? 1 : node.inputs.size()); ++i) {
        edges.reads.emplace_back(producer[node.output], codes.at(node.inputs[i]));
      }
    }
  }
  return edges;
}

TEST(C7xMma, QuantizesTheEdgesThatTiDoes) {
  const nlohmann::json data = golden();
  const Edges found = edges_of(quantized_toy(data.at("layers")));
  const auto& expected = data.at("quantized");
  ASSERT_EQ(found.quantized.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.quantized[i], expected[i].at("producer"));
    for (std::size_t j = 0; j < i; ++j) {  // The same values share their scale.
      EXPECT_EQ(found.scales[i] == found.scales[j],
                expected[i].at("scale") == expected[j].at("scale"))
          << i << " " << j;
    }
  }
  EXPECT_THAT(found.reads, testing::ElementsAreArray(
                               data.at("reads").get<std::vector<std::pair<std::string, int>>>()));
}

TEST(C7xMma, ActivationsAreSymmetricAndTheBiasIsFloat) {
  const ir::Graph graph = quantized_toy(golden().at("layers"));
  for (const ir::Node& node : graph.nodes) {
    if (const auto* quantize = std::get_if<ir::Quantize>(&node.op)) {
      EXPECT_EQ(quantize->params.zero_point, std::vector<std::int32_t>{0});
    }
    if (std::holds_alternative<ir::Conv2d>(node.op)) {
      EXPECT_EQ(graph.value(node.inputs.at(2)).type.dtype, ir::DType::kFloat32);
      EXPECT_TRUE(graph.is_constant(node.inputs[2]));
    }
  }
  // The input's scale is max|x| / 127.5.
  const auto& input = std::get<ir::Quantize>(graph.nodes.at(0).op).params;
  EXPECT_EQ(input.scale.at(0), 2.5F / 127.5F);
}

}  // namespace
}  // namespace quantc::quantize
