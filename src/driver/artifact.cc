#include "driver/artifact.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "codegen/emit.h"
#include "driver/compile.h"
#include "ir/text.h"
#include "lower/text.h"

namespace quantc::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kManifestVersion = 1;

Json preprocessing_json(const image::Preprocessing& p) {
  return {{"resize", p.resize},
          {"crop", p.crop},
          {"filter", p.filter == image::Filter::kBilinear ? "bilinear" : "bicubic"},
          {"mean", p.mean},
          {"std", p.std}};
}

Json layer_json(const lower::Call& call) {
  return {{"name", call.layer},
          {"kernel", lower::name_of(call.kernel)},
          {"offloaded", lower::is_offloaded(call.kernel)},
          {"not_offloaded", call.not_offloaded},
          {"macs", call.macs},
          {"multiplier_error", call.error.multiplier}};
}

Json tensors_json(const ir::Graph& graph, const std::vector<ir::ValueId>& ids) {
  Json tensors = Json::array();
  for (const ir::ValueId id : ids) {
    const ir::Value& value = graph.value(id);
    tensors.push_back({{"name", value.name},
                       {"dtype", ir::name_of(value.type.dtype)},
                       {"shape", value.type.shape}});
  }
  return tensors;
}

// Scale and zero point of every int8 activation.
Json scales_json(const ir::Graph& graph) {
  Json scales = Json::object();
  for (const ir::Node& node : graph.nodes) {
    const auto* quantize = std::get_if<ir::Quantize>(&node.op);
    if (quantize == nullptr) continue;
    scales[graph.value(node.inputs[0]).name] = {{"scale", quantize->params.scale.at(0)},
                                                {"zero_point", quantize->params.zero_point.at(0)}};
  }
  return scales;
}

Json manifest_json(const CompiledModel& compiled, const CompileOptions& options) {
  const Ledger ledger = ledger_of(compiled);
  Json layers = Json::array();
  for (const lower::Call& call : compiled.program.calls) layers.push_back(layer_json(call));
  return {{"quantc_manifest", kManifestVersion},
          {"model", compiled.name},
          {"target", target::to_string(options.quantize.target)},
          {"preset", quantize::name_of(options.quantize.preset)},
          {"weights", compiled.synthetic_weights ? "synthetic" : "real"},
          {"preprocessing", preprocessing_json(compiled.preprocessing)},
          {"inputs", tensors_json(compiled.qdq_graph, compiled.qdq_graph.inputs)},
          {"outputs", tensors_json(compiled.qdq_graph, compiled.qdq_graph.outputs)},
          {"memory",
           {{"weights_bytes", ledger.weights},
            {"arena_bytes", ledger.arena},
            {"arena_lower_bound_bytes", compiled.plan.lower_bound},
            {"io_bytes", ledger.io}}},
          {"activations", scales_json(compiled.qdq_graph)},
          {"layers", layers}};
}

image::Preprocessing preprocessing_of(const Json& json) {
  return {
      .resize = json.at("resize"),
      .crop = json.at("crop"),
      .filter = json.at("filter") == "bicubic" ? image::Filter::kBicubic : image::Filter::kBilinear,
      .mean = json.at("mean"),
      .std = json.at("std")};
}

Manifest parse_manifest(const Json& json) {
  Manifest manifest;
  manifest.model = json.at("model");
  manifest.target = json.at("target");
  manifest.preset = json.at("preset");
  manifest.synthetic_weights = json.at("weights") == "synthetic";
  manifest.preprocessing = preprocessing_of(json.at("preprocessing"));
  for (const Json& output : json.at("outputs")) manifest.outputs.push_back(output.at("shape"));
  const Json& memory = json.at("memory");
  manifest.weights_bytes = memory.at("weights_bytes");
  manifest.arena_bytes = memory.at("arena_bytes");
  manifest.arena_lower_bound = memory.at("arena_lower_bound_bytes");
  for (const Json& layer : json.at("layers")) {
    manifest.layers.push_back({layer.at("name"), layer.at("kernel"), layer.at("offloaded"),
                               layer.at("not_offloaded"), layer.at("macs"),
                               layer.at("multiplier_error")});
  }
  return manifest;
}

}  // namespace

void write_artifact(const CompiledModel& compiled, const CompileOptions& options,
                    const std::filesystem::path& folder) {
  codegen::write_sources(compiled.program, compiled.plan, folder);
  write_file(folder / "graph.txt", ir::to_text(compiled.qdq_graph));
  write_file(folder / "program.txt", lower::to_text(compiled.program));
  write_file(folder / "manifest.json", manifest_json(compiled, options).dump(2) + "\n");
}

Manifest read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "manifest.json";
  return with_context(path.string(), [&] {
    try {
      return parse_manifest(Json::parse(read_text(path)));
    } catch (const Json::exception& error) {
      throw InputError(std::string("expected the manifest of an artifact: ") + error.what());
    }
  });
}

}  // namespace quantc::driver
