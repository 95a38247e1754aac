// quantc compile: a network to an artifact.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "driver/artifact.h"
#include "progress_line.h"
#include "quantize_options.h"

namespace quantc::cli {
namespace {

struct CompileArguments {
  std::string model;
  std::string target = "c_static -mcpu=c7x";
  std::string output;
  QuantizeArguments quantize;
};

int compile(const CompileArguments& arguments) {
  const driver::NetworkSource network = driver::find_network(arguments.model);
  driver::CompileOptions options = arguments.quantize.options();
  options.quantize.target = target::parse_target(arguments.target);
  ProgressLine line;
  options.progress = [&](const std::string& step) { line.show(step); };
  const driver::CompiledModel compiled = driver::compile_model(network, options);
  line.clear();
  driver::write_artifact(compiled, options, arguments.output);
  const driver::Ledger ledger = driver::ledger_of(compiled);
  const driver::MacShares shares = driver::mac_shares(compiled);
  for (const std::string& note : compiled.notes) fmt::print("note: {}\n", note);
  fmt::print(
      "{}{}: {} kernel calls, {:.1f} % of the MACs in int8, {:.1f} % offloaded\n"
      "weights {:.2f} MiB, arena {:.2f} MiB (lower bound {:.2f}), quantized in {:.2f} s, compiled "
      "in "
      "{:.2f} s\n"
      "wrote {}\n",
      compiled.name, compiled.synthetic_weights ? " (synthetic weights)" : "",
      compiled.program.calls.size(), shares.int8 * 100, shares.offloaded * 100,
      static_cast<double>(ledger.weights) / 0x1p20, static_cast<double>(ledger.arena) / 0x1p20,
      static_cast<double>(compiled.plan.lower_bound) / 0x1p20, compiled.quantize_s,
      compiled.compile_s, arguments.output);
  return kPassed;
}

}  // namespace

Command add_compile(CLI::App& app) {
  CLI::App* command = app.add_subcommand("compile", "quantize a network and write standalone C");
  const auto arguments = std::make_shared<CompileArguments>();
  command
      ->add_option("model", arguments->model,
                   "a name from `quantc models`, or a .pt2 file of torch.export")
      ->required();
  command
      ->add_option(
          "--target", arguments->target,
          "c_static, then -mcpu=c7x|native, -mmalib=0|1, -mmalib-rounding=half-up|truncate")
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "folder of the artifact")->required();
  arguments->quantize.add_to(*command);
  command->footer(
      "example: quantc compile squeezenet1_1 --weights data/models --calib data/photos \\\n"
      "             --target \"c_static -mcpu=c7x -mmalib=1\" -o out");
  return [arguments] { return compile(*arguments); };
}

}  // namespace quantc::cli
