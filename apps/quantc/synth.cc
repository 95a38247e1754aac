// quantc synth: a checkpoint of seeded weights.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "driver/compile.h"
#include "driver/synthesize.h"
#include "progress_line.h"

namespace quantc::cli {
namespace {

struct SynthArguments {
  std::string model;
  std::string output;
  std::string calibration = QUANTC_DATA_DIR "/photos";
  std::uint64_t seed = 0;
};

int synth(const SynthArguments& arguments) {
  const frontend::ModelInfo& model = frontend::find_model(arguments.model);
  ProgressLine line;
  const driver::SyntheticNetwork network =
      driver::synthesize(model, arguments.seed, {},
                         driver::calibration_source(arguments.calibration, model.preprocessing),
                         [&](const std::string& step) { line.show(step); });
  line.clear();
  driver::write_checkpoint(network, model, arguments.seed, arguments.output);
  fmt::print(
      "{}: seed {}, statistics of {} pictures, {:.2f} % dead channels, logits spread by {:.3g}\n"
      "wrote {}\n",
      model.name, arguments.seed, network.pictures, network.dead_channels * 100,
      network.logit_spread, arguments.output);
  return kPassed;
}

}  // namespace

Command add_synth(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "synth", "write a checkpoint of seeded weights whose activations are alive");
  const auto arguments = std::make_shared<SynthArguments>();
  command->add_option("model", arguments->model, "a name from `quantc models`")->required();
  command->add_option("-o,--output", arguments->output, "the .safetensors file")->required();
  command->add_option("--seed", arguments->seed, "of the weights")->capture_default_str();
  command
      ->add_option("--calib", arguments->calibration,
                   fmt::format("photos for BatchNorm's statistics, of which the first {} are used: "
                               "file, folder or random:N",
                               driver::kMostStatisticsPictures))
      ->capture_default_str();
  command->footer("example: quantc synth resnet18 -o resnet18.safetensors --seed 1");
  return [arguments] { return synth(*arguments); };
}

}  // namespace quantc::cli
