// Executes a `.pt2` file: `pt2_logits MODEL.pt2 OUTPUTS.f32 [INPUT.f32]` writes all outputs, one
// after the other, for the input in the file or, without one, for the sample inputs in the archive.
#include <cstring>
#include <iostream>

#include "base/files.h"
#include "base/mapped_file.h"
#include "frontend/pt2/import.h"
#include "frontend/pt2/pt2_archive.h"
#include "reference/executor.h"

namespace {

using namespace quantc;

std::vector<ir::Tensor> inputs_of(const std::filesystem::path& model, const ir::Graph& graph,
                                  int argc, char** argv) {
  if (argc < 4) return frontend::sample_inputs(frontend::read_pt2_archive(map_file(model)));
  return {{graph.value(graph.inputs.at(0)).type, map_file(argv[3])}};
}

void run(int argc, char** argv) {
  if (argc < 3) throw InputError("usage: pt2_logits MODEL.pt2 OUTPUTS.f32 [INPUT.f32]");
  const ir::Graph graph = frontend::import_pt2(argv[1]);
  const auto outputs = reference::execute(graph, inputs_of(argv[1], graph, argc, argv));
  std::vector<std::span<const std::byte>> parts;
  parts.reserve(outputs.size());
  for (const ir::Tensor& output : outputs) parts.push_back(output.bytes());
  write_file(argv[2], parts);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
