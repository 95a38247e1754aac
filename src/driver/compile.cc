#include "driver/compile.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "codegen/emit.h"
#include "driver/synthesize.h"
#include "lower/lower.h"
#include "transform/passes.h"

namespace quantc::driver {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ir::Graph float_graph(const frontend::ModelInfo& model, const CompileOptions& options,
                      const image::Preprocessing& preprocessing) {
  if (options.weights) {
    return frontend::load_model(model,
                                frontend::load_checkpoint(find_weights(*options.weights, model)),
                                options.input_size);
  }
  return synthesize(model, options.seed, options.input_size,
                    calibration_source(options.calibration, preprocessing))
      .graph;
}

// Another input size keeps the margin around the crop in proportion.
image::Preprocessing preprocessing_of(const frontend::ModelInfo& model,
                                      const CompileOptions& options) {
  image::Preprocessing preprocessing = model.preprocessing;
  if (options.input_size) {
    preprocessing.resize = preprocessing.resize * *options.input_size / preprocessing.crop;
    preprocessing.crop = *options.input_size;
  }
  if (options.resize) preprocessing.resize = *options.resize;
  return preprocessing;
}

void require_fits(const CompiledModel& compiled) {
  const Ledger ledger = ledger_of(compiled);
  if (ledger.total() <= kPoolBytes) return;
  throw UnsupportedError(fmt::format(
      "{} needs {:.1f} MiB (weights {:.1f}, arena {:.1f}, inputs and outputs {:.1f}), more than "
      "the "
      "{:.0f} MiB of the board's pool",
      compiled.model->name, static_cast<double>(ledger.total()) / 0x1p20,
      static_cast<double>(ledger.weights) / 0x1p20, static_cast<double>(ledger.arena) / 0x1p20,
      static_cast<double>(ledger.io) / 0x1p20, static_cast<double>(kPoolBytes) / 0x1p20));
}

}  // namespace

CompiledModel compile_model(const frontend::ModelInfo& model, const CompileOptions& options) {
  CompiledModel compiled;
  compiled.model = &model;
  compiled.synthetic_weights = !options.weights;
  compiled.preprocessing = preprocessing_of(model, options);
  compiled.float_graph =
      transform::canonicalize(float_graph(model, options, compiled.preprocessing));
  auto start = std::chrono::steady_clock::now();
  quantize::Quantized quantized = quantize::quantize(
      compiled.float_graph, calibration_source(options.calibration, compiled.preprocessing),
      options.quantize);
  compiled.qdq_graph = std::move(quantized.graph);
  compiled.notes = std::move(quantized.notes);
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
    if (buffer.space != lower::Space::kArena) ledger.io += buffer.bytes;
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
