#include "execute/host.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/scratch_folder.h"
#include "execute/process.h"

namespace quantc::execute {
namespace {

constexpr std::chrono::seconds kBuildTimeout{600};
constexpr std::chrono::seconds kRunTimeout{600};

nlohmann::json run_model(const std::filesystem::path& folder,
                         const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"./model", "--weights", "weights.bin"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProcessResult result = run_process(command, folder, kRunTimeout);
  auto answer = nlohmann::json::parse(result.output, nullptr, /*allow_exceptions=*/false);
  if (result.exit_code == 0 && answer.is_object()) return answer;
  if (answer.is_object() && answer.contains("layer")) {
    throw InputError(folder.string() + ": layer " + answer["layer"].get<std::string>() + ": " +
                     answer["kernel"].get<std::string>() + ": " +
                     answer["message"].get<std::string>() + " (status " +
                     std::to_string(answer["code"].get<int>()) + ")");
  }
  throw InputError(folder.string() + ": the model ended with exit code " +
                   std::to_string(result.exit_code) + ": " + result.output);
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return {file.bytes.begin(), file.bytes.end()};
}

}  // namespace

void build(const std::filesystem::path& folder, const BuildOptions& options) {
  const ProcessResult result = run_process(
      {"make", "-B", "CC=" + options.compiler, "CFLAGS=" + options.flags}, folder, kBuildTimeout);
  if (result.exit_code != 0) {
    throw InputError(folder.string() + ": " + options.compiler + " failed: " + result.output);
  }
}

RunResult run(const std::filesystem::path& folder, const std::vector<ir::Tensor>& inputs,
              const std::vector<ir::Shape>& output_shapes, const RunOptions& options) {
  const ScratchFolder scratch;
  std::vector<std::string> arguments = {"--repeat", std::to_string(options.repeat)};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto file = scratch.file("in" + std::to_string(i));
    write_file(file, std::vector{inputs[i].bytes()});
    arguments.insert(arguments.end(), {"--input", file.string()});
  }
  const auto output_file = [&](std::size_t i) { return scratch.file("out" + std::to_string(i)); };
  for (std::size_t i = 0; i < output_shapes.size(); ++i) {
    arguments.insert(arguments.end(), {"--output", output_file(i).string()});
  }
  if (options.trace) arguments.insert(arguments.end(), {"--trace", scratch.file("trace").string()});
  const nlohmann::json answer = run_model(folder, arguments);
  RunResult result;
  const auto times = answer.at("run_ms").get<std::vector<double>>();
  result.run_ms = *std::min_element(times.begin(), times.end());
  for (std::size_t i = 0; i < output_shapes.size(); ++i) {
    result.outputs.emplace_back(ir::TensorType{ir::DType::kFloat32, output_shapes[i]},
                                own_bytes(read_bytes(output_file(i))));
  }
  if (options.trace) result.trace = read_bytes(scratch.file("trace"));
  return result;
}

std::vector<std::byte> run_layers(const std::filesystem::path& folder,
                                  const std::vector<std::byte>& inputs) {
  const ScratchFolder scratch;
  const auto in = scratch.file("in");
  const auto out = scratch.file("out");
  write_file(in, std::vector{std::span<const std::byte>(inputs)});
  run_model(folder, {"--layers", in.string(), out.string()});
  return read_bytes(out);
}

}  // namespace quantc::execute
