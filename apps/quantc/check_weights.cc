// quantc check-weights: whether a checkpoint fits a network.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "frontend/zoo/weights_check.h"

namespace quantc::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckWeightsArguments {
  std::string model;
  std::string file;
  bool json = false;
};

std::string dtypes_text(const frontend::WeightsReport& report) {
  std::vector<std::string> parts;
  for (const auto& [dtype, count] : report.dtypes) {
    parts.push_back(fmt::format("{} {}", count, dtype));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_text(const CheckWeightsArguments& arguments, const frontend::WeightsReport& report) {
  fmt::print("{}: {}, tensors: {}\n", arguments.file, report.format, dtypes_text(report));
  for (const auto& [rule, tensors] : report.rules) {
    fmt::print("{}{}\n", rule, tensors > 0 ? fmt::format(": {} tensors", tensors) : "");
  }
  for (const auto& [key, shape] : report.missing) {
    fmt::print("missing {} {}\n", key, ir::to_string(shape));
  }
  for (const auto& [key, shape] : report.unexpected) {
    fmt::print("unexpected {} {}\n", key, ir::to_string(shape));
  }
  for (const auto& [key, expected, found] : report.misshaped) {
    fmt::print("{}: expected shape {}, found {}\n", key, ir::to_string(expected),
               ir::to_string(found));
  }
  if (!report.refusal.empty()) fmt::print("{}\n", report.refusal);
  fmt::print("{} {}, {} parameters\n", report.fits() ? "fits" : "does not fit", arguments.model,
             report.parameters);
}

Json tensors_json(const std::vector<frontend::ExpectedTensor>& tensors) {
  Json list = Json::array();
  for (const auto& [key, shape] : tensors) list.push_back({{"key", key}, {"shape", shape}});
  return list;
}

void print_json(const CheckWeightsArguments& arguments, const frontend::WeightsReport& report) {
  Json rules = Json::array();
  for (const auto& [rule, tensors] : report.rules) {
    rules.push_back({{"rule", rule}, {"tensors", tensors}});
  }
  Json misshaped = Json::array();
  for (const auto& [key, expected, found] : report.misshaped) {
    misshaped.push_back({{"key", key}, {"expected", expected}, {"found", found}});
  }
  const Json answer = {{"model", arguments.model},
                       {"file", arguments.file},
                       {"fits", report.fits()},
                       {"format", report.format},
                       {"dtypes", report.dtypes},
                       {"parameters", report.parameters},
                       {"rules", std::move(rules)},
                       {"missing", tensors_json(report.missing)},
                       {"unexpected", tensors_json(report.unexpected)},
                       {"misshaped", std::move(misshaped)},
                       {"refusal", report.refusal}};
  fmt::print("{}\n", answer.dump(2, ' ', false, Json::error_handler_t::replace));
}

int check_weights(const CheckWeightsArguments& arguments) {
  const frontend::WeightsReport report =
      frontend::check_weights(frontend::find_model(arguments.model), arguments.file);
  arguments.json ? print_json(arguments, report) : print_text(arguments, report);
  return report.fits() ? kPassed : kCaseFailed;
}

}  // namespace

Command add_check_weights(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "check-weights",
      "say whether a checkpoint fits a network (exit code 0 or 1) and what differs");
  const auto arguments = std::make_shared<CheckWeightsArguments>();
  command->add_option("model", arguments->model, "a name from `quantc models`")->required();
  command->add_option("file", arguments->file, "a .pth or .safetensors file")->required();
  command->add_flag("--json", arguments->json, "machine-readable");
  command->footer("example: quantc check-weights squeezenet1_1 squeezenet1_1-b8a52dc0.pth");
  return [arguments] { return check_weights(*arguments); };
}

}  // namespace quantc::cli
