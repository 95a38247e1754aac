// quantc models: the zoo as a table.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "frontend/zoo/figures.h"
#include "frontend/zoo/model_table.h"

namespace quantc::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view filter_name(image::Filter filter) {
  return filter == image::Filter::kBilinear ? "bilinear" : "bicubic";
}

// The graph's types are enough: no weights are read.
frontend::Figures figures_of(const frontend::ModelInfo& model) {
  frontend::WeightRecorder weights;
  const ir::Graph graph = frontend::build_model(model, weights);
  return frontend::figures_of(graph, weights);
}

void print_table() {
  fmt::print("{:<18} {:>12} {:>8} {:>10} {:>6} {:>7} {:>5} {:<9} {:<6}\n", "model", "parameters",
             "GMAC", "int8 MiB", "input", "resize", "crop", "filter", "top-1");
  for (const frontend::ModelInfo& model : frontend::all_models()) {
    const frontend::Figures figures = figures_of(model);
    const image::Preprocessing& p = model.preprocessing;
    fmt::print("{:<18} {:>12} {:>8.3f} {:>10.1f} {:>6} {:>7} {:>5} {:<9} {:<6}\n", model.name,
               figures.parameters, static_cast<double>(figures.macs) * 1e-9,
               static_cast<double>(figures.int8_weight_bytes) / 0x1p20, p.crop, p.resize, p.crop,
               filter_name(p.filter), model.top1);
  }
}

// docs/models.md.
void print_markdown() {
  fmt::print(
      "# Networks\n\n"
      "Written by `quantc models --markdown`; a test keeps this page and the program alike. "
      "Parameters, multiply-accumulates\nand the bytes of int8 weights are counted on the graph "
      "that quantc builds; top-1 (ImageNet-1k, float32) is what\nTorchVision publishes for the "
      "weights file.\n\n"
      "| model | parameters | GMAC | int8 MiB | input | resize | filter | top-1 | weights |\n"
      "|---|--:|--:|--:|--:|--:|---|--:|---|\n");
  for (const frontend::ModelInfo& model : frontend::all_models()) {
    const frontend::Figures figures = figures_of(model);
    const image::Preprocessing& p = model.preprocessing;
    fmt::print("| {} | {} | {:.3f} | {:.1f} | {} | {} | {} | {} | {} |\n", model.name,
               figures.parameters, static_cast<double>(figures.macs) * 1e-9,
               static_cast<double>(figures.int8_weight_bytes) / 0x1p20, p.crop, p.resize,
               filter_name(p.filter), model.top1, model.weights_file);
  }
}

void print_json() {
  Json models = Json::array();
  for (const frontend::ModelInfo& model : frontend::all_models()) {
    const frontend::Figures figures = figures_of(model);
    const image::Preprocessing& p = model.preprocessing;
    models.push_back({{"model", model.name},
                      {"weights_file", model.weights_file},
                      {"parameters", figures.parameters},
                      {"macs", figures.macs},
                      {"int8_weight_bytes", figures.int8_weight_bytes},
                      {"input", {1, 3, p.crop, p.crop}},
                      {"top1", model.top1},
                      {"preprocessing",
                       {{"resize", p.resize},
                        {"crop", p.crop},
                        {"filter", filter_name(p.filter)},
                        {"mean", p.mean},
                        {"std", p.std}}}});
  }
  fmt::print("{}\n", models.dump(2));
}

}  // namespace

Command add_models(CLI::App& app) {
  CLI::App* command = app.add_subcommand("models", "list the networks with their figures");
  const auto print = std::make_shared<void (*)()>(print_table);
  command->add_flag_callback(
      "--json", [print] { *print = print_json; }, "machine-readable");
  command->add_flag_callback(
      "--markdown", [print] { *print = print_markdown; }, "docs/models.md");
  command->footer("example: quantc models --json");
  return [print] {
    (*print)();
    return kPassed;
  };
}

}  // namespace quantc::cli
