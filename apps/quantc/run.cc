// quantc run: build an artifact and classify a photo with it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "commands.h"
#include "driver/artifact.h"
#include "execute/host.h"
#include "image/preprocess.h"

namespace quantc::cli {
namespace {

struct RunArguments {
  std::string folder;
  std::string photo;
  std::string labels = QUANTC_DATA_DIR "/labels/imagenet.txt";
};

std::vector<std::string> read_labels(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path + ": cannot open the labels");
  std::vector<std::string> labels;
  for (std::string line; std::getline(file, line);) labels.push_back(line);
  return labels;
}

std::vector<std::size_t> best(std::span<const float> logits, std::size_t count) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  order.resize(std::min(count, order.size()));
  return order;
}

int run(const RunArguments& arguments) {
  const driver::Manifest manifest = driver::read_manifest(arguments.folder);
  const ir::Tensor input =
      image::preprocess(image::decode_file(arguments.photo), manifest.preprocessing);
  execute::build(arguments.folder);
  const execute::RunResult result = execute::run(arguments.folder, {input}, manifest.outputs);
  const auto logits = result.outputs.at(0).values<float>();
  const std::vector<std::string> labels = read_labels(arguments.labels);
  const float most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(double{logit} - most);
  fmt::print("{}{} on {}: {:.1f} ms\n", manifest.model,
             manifest.synthetic_weights ? " (synthetic weights: the answer means nothing)" : "",
             arguments.photo, result.run_ms);
  for (const std::size_t i : best(logits, 5)) {
    fmt::print("{:>5}  {:>7.3f}  {:>5.1f} %  {}\n", i, logits[i],
               std::exp(double{logits[i]} - most) / sum * 100, i < labels.size() ? labels[i] : "?");
  }
  return kPassed;
}

}  // namespace

Command add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "build an artifact and classify a photo");
  const auto arguments = std::make_shared<RunArguments>();
  command->add_option("artifact", arguments->folder, "a folder that compile wrote")->required();
  command->add_option("photo", arguments->photo, "JPEG, PNG or BMP")->required();
  command->add_option("--labels", arguments->labels, "class names, one a line")
      ->capture_default_str();
  command->footer("example: quantc run out data/photos/dog.jpg");
  return [arguments] { return run(*arguments); };
}

}  // namespace quantc::cli
