// quantc inspect: what an artifact or a network consists of.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/files.h"
#include "commands.h"
#include "driver/artifact.h"
#include "driver/network.h"
#include "frontend/pt2/import.h"
#include "frontend/zoo/model_table.h"
#include "ir/text.h"
#include "transform/passes.h"

namespace quantc::cli {
namespace {

std::string where(const driver::LayerSummary& layer) {
  if (layer.offloaded) {
    return layer.multiplier_error > 1e-6
               ? fmt::format("mmalib, multipliers off by {:.2f} %", layer.multiplier_error * 100)
               : "mmalib";
  }
  return layer.not_offloaded.empty() ? "int8" : "int8 (not offloaded: " + layer.not_offloaded + ")";
}

void inspect_artifact(const std::filesystem::path& folder) {
  const driver::Manifest manifest = driver::read_manifest(folder);
  fmt::print("{}\n{}\n", read_text(folder / "graph.txt"), read_text(folder / "program.txt"));
  fmt::print("{:<40} {:<22} {:>12}  {}\n", "layer", "kernel", "MACs", "runs as");
  for (const driver::LayerSummary& layer : manifest.layers) {
    fmt::print("{:<40} {:<22} {:>12}  {}\n", layer.name, layer.kernel, layer.macs, where(layer));
  }
  fmt::print(
      "\n{} for {}, preset {}, {} weights\nweights {} bytes, arena {} bytes, lower bound {}\n",
      manifest.model, manifest.target, manifest.preset,
      manifest.synthetic_weights ? "synthetic" : "real", manifest.weights_bytes,
      manifest.arena_bytes, manifest.arena_lower_bound);
}

void inspect_model(const std::string& name) {
  const driver::NetworkSource network = driver::find_network(name);
  if (network.zoo == nullptr) {
    fmt::print("{}",
               ir::to_text(frontend::import_pt2(network.program), {.max_constant_elements = 0}));
    return;
  }
  frontend::WeightRecorder weights;
  // Weights are unknown here, so the graph is shown as built, without folding them.
  fmt::print("{}", ir::to_text(frontend::build_model(*network.zoo, weights),
                               {.max_constant_elements = 0}));
}

}  // namespace

Command add_inspect(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("inspect", "show an artifact's graph, kernels and memory, or a network");
  const auto what = std::make_shared<std::string>();
  command->add_option("what", *what, "an artifact's folder, a network's name, or a .pt2 file")
      ->required();
  command->footer("example: quantc inspect out\n         quantc inspect resnet18");
  return [what] {
    std::filesystem::is_directory(*what) ? inspect_artifact(*what) : inspect_model(*what);
    return kPassed;
  };
}

}  // namespace quantc::cli
