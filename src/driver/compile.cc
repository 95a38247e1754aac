#include "driver/compile.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "codegen/emit.h"
#include "driver/synthesize.h"
#include "frontend/pt2/import.h"
#include "lower/lower.h"
#include "transform/passes.h"

namespace quantc::driver {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Another input size keeps the margin around the crop in proportion.
image::Preprocessing preprocessing_of(image::Preprocessing preprocessing,
                                      const CompileOptions& options) {
  if (options.input_size) {
    preprocessing.resize = preprocessing.resize * *options.input_size / preprocessing.crop;
    preprocessing.crop = *options.input_size;
  }
  if (options.resize) preprocessing.resize = *options.resize;
  return preprocessing;
}

// What is compiled, before quantization.
struct LoadedNetwork {
  ir::Graph graph;
  image::Preprocessing preprocessing;
  bool synthetic_weights = false;
};

LoadedNetwork load_zoo(const frontend::ModelInfo& model, const CompileOptions& options) {
  LoadedNetwork loaded;
  loaded.preprocessing = preprocessing_of(model.preprocessing, options);
  if (options.weights) {
    loaded.graph = frontend::load_model(
        model, frontend::load_checkpoint(find_weights(*options.weights, model)),
        options.input_size);
    return loaded;
  }
  loaded.synthetic_weights = true;
  loaded.graph =
      synthesize(model, options.seed, options.input_size,
                 calibration_source(options.calibration, loaded.preprocessing), options.progress)
          .graph;
  return loaded;
}

LoadedNetwork load_program(const std::filesystem::path& path, const CompileOptions& options) {
  if (options.weights || options.input_size) {
    throw InputError(path.string() +
                     ": expected no --weights and no --input-size: a program holds its own");
  }
  LoadedNetwork loaded;
  loaded.graph = frontend::import_pt2(path);
  const ir::Shape& shape = loaded.graph.value(loaded.graph.inputs.at(0)).type.shape;
  if (loaded.graph.inputs.size() != 1 || shape.size() != 4 || shape[0] != 1 || shape[1] != 3 ||
      shape[2] != shape[3]) {
    throw UnsupportedError(fmt::format(
        "{}: expected one square picture [1,3,S,S] as input, found {} input(s), the first {}",
        path.string(), loaded.graph.inputs.size(), ir::to_string(shape)));
  }
  loaded.preprocessing = preprocessing_of(usual_preprocessing(shape[2]), options);
  return loaded;
}

void quantize_into(CompiledModel& compiled, ir::Graph graph, const CompileOptions& options) {
  if (transform::is_quantized(graph)) {
    compiled.float_graph = transform::without_quantization(graph);
    compiled.qdq_graph = std::move(graph);
    return;
  }
  compiled.float_graph = std::move(graph);
  quantize::Quantized quantized = quantize::quantize(
      compiled.float_graph,
      calibration_source(options.calibration, compiled.preprocessing, options.progress),
      options.quantize);
  compiled.qdq_graph = std::move(quantized.graph);
  compiled.notes = std::move(quantized.notes);
}

void require_fits(const CompiledModel& compiled) {
  const Ledger ledger = ledger_of(compiled);
  if (ledger.total() <= kPoolBytes) return;
  throw UnsupportedError(fmt::format(
      "{} needs {:.1f} MiB (weights {:.1f}, arena {:.1f}, inputs and outputs {:.1f}), more than "
      "the "
      "{:.0f} MiB of the board's pool",
      compiled.name, static_cast<double>(ledger.total()) / 0x1p20,
      static_cast<double>(ledger.weights) / 0x1p20, static_cast<double>(ledger.arena) / 0x1p20,
      static_cast<double>(ledger.io) / 0x1p20, static_cast<double>(kPoolBytes) / 0x1p20));
}

}  // namespace

CompiledModel compile_model(const NetworkSource& network, const CompileOptions& options) {
  LoadedNetwork loaded = network.zoo != nullptr ? load_zoo(*network.zoo, options)
                                                : load_program(network.program, options);
  CompiledModel compiled;
  compiled.name = network.name;
  compiled.synthetic_weights = loaded.synthetic_weights;
  compiled.preprocessing = loaded.preprocessing;
  auto start = std::chrono::steady_clock::now();
  quantize_into(compiled, transform::canonicalize(loaded.graph), options);
  compiled.quantize_s = seconds_since(start);
  start = std::chrono::steady_clock::now();
  compiled.program = lower::lower(compiled.qdq_graph, options.quantize.target);
  compiled.plan = memory::plan_arena(compiled.program);
  compiled.compile_s = seconds_since(start);
  require_fits(compiled);
  return compiled;
}

Ledger ledger_of(const CompiledModel& compiled) {
  Ledger ledger;
  ledger.weights = codegen::plan_weights(compiled.program).bytes;
  ledger.arena = compiled.plan.arena_bytes;
  for (const lower::Buffer& buffer : compiled.program.buffers) {
    using lower::Space;
    if (buffer.space == Space::kInput || buffer.space == Space::kOutput) ledger.io += buffer.bytes;
  }
  return ledger;
}

MacShares mac_shares(const CompiledModel& compiled) {
  std::int64_t total = 0;
  for (const ir::Node& node : compiled.float_graph.nodes) {
    total += ir::mac_count(compiled.float_graph, node);
  }
  std::int64_t int8 = 0;
  std::int64_t offloaded = 0;
  for (const lower::Call& call : compiled.program.calls) {
    int8 += call.macs;
    if (lower::is_offloaded(call.kernel)) offloaded += call.macs;
  }
  const auto share = [&](std::int64_t part) {
    return total == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(total);
  };
  return {share(int8), share(offloaded)};
}

}  // namespace quantc::driver
