// quantc sweep: judge networks.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "commands.h"
#include "progress_line.h"
#include "quantize_options.h"
#include "sweep/name_filter.h"
#include "sweep/report.h"
#include "sweep/run.h"

namespace quantc::cli {
namespace {

struct SweepArguments {
  std::vector<std::string> names;
  std::string expression;
  bool all = false;
  std::string dsp_mode = "c7x_host";
  std::string board;
  bool mmalib = false;
  std::string rounding = "half-up";
  std::vector<std::string> images;
  bool verbose = false;
  std::string json;
  std::string junit;
  bool fail_fast = false;
  int jobs = 1;
  QuantizeArguments quantize;
};

std::vector<driver::NetworkSource> selected(const SweepArguments& arguments) {
  std::vector<driver::NetworkSource> networks;
  for (const std::string& name : arguments.names) networks.push_back(driver::find_network(name));
  for (const frontend::ModelInfo& model : frontend::all_models()) {
    const bool selected = arguments.all || (!arguments.expression.empty() &&
                                            sweep::matches(arguments.expression, model.name));
    if (selected) networks.push_back(driver::zoo_network(model));
  }
  if (networks.empty()) {
    throw InputError(
        "sweep: expected names, -k with parts of names, or --all; nothing is selected");
  }
  return networks;
}

void require_host(const SweepArguments& arguments) {
  if (arguments.dsp_mode == "c7x_host" && arguments.board.empty()) return;
  throw UnsupportedError(
      "boards are not supported yet (--dsp-mode c7x_dload, --board); use --dsp-mode c7x_host");
}

std::vector<std::filesystem::path> all_images(const std::vector<std::string>& from) {
  std::vector<std::filesystem::path> images;
  for (const std::string& path : from) {
    for (auto& image : driver::find_images(path)) images.push_back(std::move(image));
  }
  return images;
}

int run(const SweepArguments& arguments) {
  require_host(arguments);
  sweep::SweepOptions options;
  options.networks = selected(arguments);
  options.mmalib_paths = {arguments.mmalib};
  options.images = all_images(arguments.images);
  options.compile = arguments.quantize.options();
  options.compile.quantize.target.mmalib_truncates = arguments.rounding == "truncate";
  options.fail_fast = arguments.fail_fast;
  options.jobs = arguments.jobs;
  ProgressLine line;
  std::size_t done = 0;
  const auto results = sweep::run_sweep(options, [&](const sweep::CaseResult& result) {
    line.show(fmt::format("{} done: {} {}", ++done, sweep::title_of(result),
                          sweep::name_of(result.verdict)));
  });
  line.clear();
  fmt::print("{}", sweep::table_report(results, arguments.verbose, ::isatty(STDOUT_FILENO) != 0));
  if (!arguments.json.empty()) write_file(arguments.json, sweep::json_report(results));
  if (!arguments.junit.empty()) write_file(arguments.junit, sweep::junit_report(results));
  for (const sweep::CaseResult& result : results) {
    if (result.verdict != sweep::Verdict::kPass) return kCaseFailed;
  }
  return results.empty() ? kCaseFailed : kPassed;
}

void add_options(CLI::App& command, SweepArguments& arguments) {
  command.add_option("names", arguments.names, "networks, or .pt2 files of torch.export");
  command.add_option("-k", arguments.expression,
                     "networks by parts of their names: \"resnet and not wide\"");
  command.add_flag("--all", arguments.all, "every network");
  command.add_option("--dsp-mode", arguments.dsp_mode, "c7x_host: emulation on this machine")
      ->check(CLI::IsMember({"c7x_host", "c7x_dload", "a53_dload"}))
      ->capture_default_str();
  command.add_option("--board", arguments.board, "a board to run on (not supported yet)");
  command.add_flag("--mmalib", arguments.mmalib, "the MMALIB path instead of the generic one");
  command.add_option("--mmalib-rounding", arguments.rounding, "how the MMALIB kernels round")
      ->check(CLI::IsMember({"half-up", "truncate"}))
      ->capture_default_str();
  command.add_option("--images", arguments.images, "photos or folders of photos")
      ->default_val(QUANTC_DATA_DIR "/photos");
  command.add_flag("-v,--verbose", arguments.verbose, "memory and times too");
  command.add_option("--json", arguments.json, "write the results to this file");
  command.add_option("--junit", arguments.junit, "write a JUnit report to this file");
  command.add_flag("--fail-fast", arguments.fail_fast, "start no network after a failure");
  command.add_option("-j,--jobs", arguments.jobs, "networks at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  arguments.quantize.add_to(command);
}

}  // namespace

Command add_sweep(CLI::App& app) {
  CLI::App* command = app.add_subcommand("sweep", "compile, run and judge networks");
  const auto arguments = std::make_shared<SweepArguments>();
  add_options(*command, *arguments);
  command->footer(
      "examples: quantc sweep squeezenet1_1 --weights data/models\n"
      "          quantc sweep -k \"resnet and not wide\" --mmalib --json results.json\n"
      "          quantc sweep --all -j 2 --junit results.xml");
  return [arguments] { return run(*arguments); };
}

}  // namespace quantc::cli
