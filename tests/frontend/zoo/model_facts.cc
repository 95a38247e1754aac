// Prints what the zoo knows about each network, as JSON for torchvision_oracle.py.
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "frontend/zoo/figures.h"
#include "frontend/zoo/model_table.h"

namespace quantc::frontend {
namespace {

using nlohmann::json;

json list_of(const std::vector<ExpectedTensor>& tensors) {
  json list = json::array();
  for (const ExpectedTensor& tensor : tensors) list.push_back({tensor.key, tensor.shape});
  return list;
}

json facts_of(const ModelInfo& model) {
  WeightRecorder recorder;
  const ir::Graph graph = build_model(model, recorder);
  const Figures figures = figures_of(graph, recorder);
  const image::Preprocessing& preprocessing = model.preprocessing;
  const bool bilinear = preprocessing.filter == image::Filter::kBilinear;
  return {{"name", model.name},
          {"weights_file", model.weights_file},
          {"parameters", model.parameters},
          {"gmac", model.gmac},
          {"top1", model.top1},
          {"min_size", model.min_size},
          {"resize", preprocessing.resize},
          {"crop", preprocessing.crop},
          {"filter", bilinear ? "bilinear" : "bicubic"},
          {"mean", preprocessing.mean},
          {"std", preprocessing.std},
          {"graph_parameters", figures.parameters},
          {"graph_macs", figures.macs},
          {"graph_int8_weight_bytes", figures.int8_weight_bytes},
          {"tensors", list_of(recorder.expected())},
          {"buffers", list_of(recorder.buffers())}};
}

void print_facts() {
  json facts = json::array();
  for (const ModelInfo& model : all_models()) facts.push_back(facts_of(model));
  std::cout << facts << '\n';
}

}  // namespace
}  // namespace quantc::frontend

int main() {
  try {
    quantc::frontend::print_facts();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
