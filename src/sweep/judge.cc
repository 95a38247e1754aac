#include "sweep/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "base/scratch_folder.h"
#include "codegen/emit.h"
#include "execute/host.h"
#include "reference/executor.h"
#include "sweep/compare.h"
#include "sweep/layer_judge.h"

namespace quantc::sweep {
namespace {

std::int64_t largest_integer_difference(std::span<const float> a, std::span<const float> b) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most =
        std::max(most, std::abs(static_cast<std::int64_t>(a[i]) - static_cast<std::int64_t>(b[i])));
  }
  return most;
}

// The two builds of one network whose bytes must agree.
class Contract {
 public:
  explicit Contract(const driver::CompiledModel& compiled) : compiled_(compiled) {
    const auto start = std::chrono::steady_clock::now();
    codegen::write_sources(compiled.program, compiled.plan, planned());
    execute::build(planned());
    build_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const memory::Plan separate = memory::plan_arena(compiled.program, {.reuse = false});
    codegen::write_sources(compiled.program, separate, plain());
    execute::build(plain(), {.flags = "-O1 -DQC_POISON"});
  }

  std::filesystem::path planned() const { return folder_.file("planned"); }
  std::filesystem::path plain() const { return folder_.file("plain"); }
  double build_s() const { return build_s_; }

  execute::RunResult run(const std::filesystem::path& folder, const ir::Tensor& input) const {
    const ir::ValueId output = compiled_.qdq_graph.outputs.at(0);
    return execute::run(folder, {input}, {compiled_.qdq_graph.value(output).type.shape});
  }

 private:
  const driver::CompiledModel& compiled_;
  ScratchFolder folder_;
  double build_s_ = 0;
};

bool same_bytes(const ir::Tensor& a, const ir::Tensor& b) {
  return a.bytes().size() == b.bytes().size() &&
         std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0;
}

void judge_layers_into(CaseResult& result, const driver::CompiledModel& compiled,
                       const Contract& contract, const ir::Tensor& input) {
  const auto layers = judge_layers(compiled, contract.planned(), input);
  const auto worst =
      std::max_element(layers.begin(), layers.end(), [](const auto& a, const auto& b) {
        return std::pair(a.max_lsb, a.share()) < std::pair(b.max_lsb, b.share());
      });
  if (worst != layers.end()) {
    result.layer_max_lsb = worst->max_lsb;
    result.layer_worst = worst->layer;
    result.layer_differing_share = worst->share();
  }
  if (result.reason.empty()) result.reason = layer_fault(layers);
}

void judge_image(CaseResult& result, const driver::CompiledModel& compiled,
                 const Contract& contract, const ir::Tensor& input) {
  const ir::Tensor in_float = reference::execute(compiled.float_graph, {input}).at(0);
  const ir::Tensor expected = reference::execute(compiled.qdq_graph, {input}).at(0);
  const execute::RunResult run = contract.run(contract.planned(), input);
  const ir::Tensor& output = run.outputs.at(0);
  result.run_ms = run.run_ms;
  result.contract_equal = same_bytes(output, contract.run(contract.plain(), input).outputs.at(0));
  if (!result.contract_equal) result.reason = "contract: the two builds give different bytes";

  const Comparison comparison = compare(expected.values<float>(), output.values<float>());
  result.sqnr_db = comparison.sqnr_db;
  result.cosine = comparison.cosine;
  result.max_logit_diff = comparison.max_diff;
  result.reference_top1 = comparison.reference_top1;
  result.compiled_top1 = comparison.output_top1;
  result.reference_margin = comparison.reference_margin;
  result.float_sqnr_db = compare(in_float.values<float>(), output.values<float>()).sqnr_db;
  result.float_top1 = top1(in_float.values<float>());
  result.integer_logit_diff =
      largest_integer_difference(expected.values<float>(), output.values<float>());
  judge_layers_into(result, compiled, contract, input);
  if (result.reason.empty()) result.reason = network_fault(comparison);
  result.verdict = result.reason.empty() ? Verdict::kPass : Verdict::kFail;
}

void fill_compile_figures(CaseResult& result, const driver::CompiledModel& compiled,
                          double build_s) {
  const driver::Ledger ledger = driver::ledger_of(compiled);
  const driver::MacShares shares = driver::mac_shares(compiled);
  result.int8_mac_share = shares.int8;
  result.offloaded_mac_share = shares.offloaded;
  result.arena_bytes = ledger.arena;
  result.arena_lower_bound_bytes = compiled.plan.lower_bound;
  result.pool_bytes = ledger.total();
  result.weights_bytes = ledger.weights;
  result.quantize_s = compiled.quantize_s;
  result.compile_s = compiled.compile_s;
  result.build_s = build_s;
}

}  // namespace

std::vector<CaseResult> blank_cases(const driver::NetworkSource& network,
                                    const driver::CompileOptions& options,
                                    const std::vector<std::filesystem::path>& images) {
  std::vector<CaseResult> cases;
  for (const auto& image : images) {
    CaseResult result;
    result.model = network.name;
    result.mmalib = options.quantize.target.mmalib;
    result.preset = quantize::name_of(options.quantize.preset);
    result.synthetic_weights = network.zoo != nullptr && !options.weights;
    result.image = image.filename().string();
    cases.push_back(std::move(result));
  }
  return cases;
}

std::vector<CaseResult> judge_model(const driver::NetworkSource& network,
                                    const driver::CompileOptions& options,
                                    const std::vector<std::filesystem::path>& images) {
  std::vector<CaseResult> cases = blank_cases(network, options, images);
  const driver::CompiledModel compiled = driver::compile_model(network, options);
  const Contract contract(compiled);
  for (std::size_t i = 0; i < images.size(); ++i) {
    fill_compile_figures(cases[i], compiled, contract.build_s());
    const ir::Tensor input =
        image::preprocess(image::decode_file(images[i]), compiled.preprocessing);
    judge_image(cases[i], compiled, contract, input);
  }
  return cases;
}

}  // namespace quantc::sweep
