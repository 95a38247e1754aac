#include "quantize_options.h"

#include <map>

namespace quantc::cli {
namespace {

const std::map<std::string, quantize::Preset>& presets() {
  static const std::map<std::string, quantize::Preset> kPresets = {
      {"quantc", quantize::Preset::kQuantc}, {"c7x-mma", quantize::Preset::kC7xMma}};
  return kPresets;
}

const std::map<std::string, quantize::ObserverKind>& observers() {
  static const std::map<std::string, quantize::ObserverKind> kObservers = {
      {"minmax", quantize::ObserverKind::kMinMax},
      {"histogram", quantize::ObserverKind::kHistogram},
      {"percentile", quantize::ObserverKind::kPercentile},
      {"mse", quantize::ObserverKind::kMse},
      {"entropy", quantize::ObserverKind::kEntropy}};
  return kObservers;
}

}  // namespace

void QuantizeArguments::add_to(CLI::App& command) {
  command.add_option("--weights", weights,
                     "a checkpoint (.pth, .safetensors) or a folder of them; without it seeded "
                     "synthetic weights are used, and labelled so");
  command.add_option("--calib", calibration, "photos to calibrate with: file, folder or random:N")
      ->capture_default_str();
  command.add_option("--preset", preset, "quantizer rules: quantc (accurate) or c7x-mma (TI's)")
      ->check(CLI::IsMember(presets()))
      ->capture_default_str();
  command.add_option("--observer", observer, "how a range is found; c7x-mma always uses minmax")
      ->check(CLI::IsMember(observers()))
      ->capture_default_str();
  command.add_option("--activations", activations, "affine or symmetric")
      ->check(CLI::IsMember({"affine", "symmetric"}))
      ->capture_default_str();
  command.add_flag("--quantize-outputs", quantize_outputs, "the network's outputs are int8 too");
  command
      .add_option("--input-size", input_size,
                  "height and width of the network's input, where it allows another than its own")
      ->check(CLI::Range(1, 8192));
  command
      .add_option("--resize", resize,
                  "length of the photos' shorter side, where the weights were trained with "
                  "another than the model table's")
      ->check(CLI::Range(1, 10000));
  command.add_option("--seed", seed, "of synthetic weights")->capture_default_str();
}

driver::CompileOptions QuantizeArguments::options() const {
  driver::CompileOptions options;
  if (!weights.empty()) options.weights = weights;
  options.seed = seed;
  if (input_size > 0) options.input_size = input_size;
  if (resize > 0) options.resize = resize;
  options.calibration = calibration;
  options.quantize.preset = presets().at(preset);
  options.quantize.observer = observers().at(observer);
  options.quantize.symmetric_activations = activations == "symmetric";
  options.quantize.quantize_outputs = quantize_outputs;
  return options;
}

}  // namespace quantc::cli
