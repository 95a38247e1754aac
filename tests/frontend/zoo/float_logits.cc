// Executes a network in float32, for torchvision_oracle.py.
//
// usage: float_logits MODEL CHECKPOINT INPUT OUTPUT FOLDED_OUTPUT
//
// INPUT and both outputs are raw float32. OUTPUT are the logits of the network as built,
// FOLDED_OUTPUT those with its BatchNorms folded.
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>

#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "frontend/checkpoint/state_dict.h"
#include "frontend/zoo/model_table.h"
#include "reference/executor.h"
#include "transform/passes.h"

namespace {

using quantc::ir::Graph;
using quantc::ir::Tensor;

void write_logits(const Graph& graph, const Tensor& input, const std::filesystem::path& path) {
  const Tensor logits = quantc::reference::execute(graph, {input}).at(0);
  quantc::write_file(path, {logits.bytes()});
}

void run(std::span<char*> arguments) {
  if (arguments.size() != 6) {
    throw quantc::InputError("usage: float_logits MODEL CHECKPOINT INPUT OUTPUT FOLDED_OUTPUT");
  }
  const Graph graph = quantc::frontend::load_model(quantc::frontend::find_model(arguments[1]),
                                                   quantc::frontend::load_checkpoint(arguments[2]));
  const Tensor input(graph.value(graph.inputs.at(0)).type, quantc::map_file(arguments[3]));
  write_logits(graph, input, arguments[4]);
  write_logits(quantc::transform::fold_batch_norm(graph), input, arguments[5]);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run({arguments, static_cast<std::size_t>(count)});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
