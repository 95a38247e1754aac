#include "frontend/zoo/weights_check.h"

#include "base/error.h"
#include "base/mapped_file.h"
#include "frontend/checkpoint/zip_reader.h"

namespace quantc::frontend {
namespace {

std::string format_of(std::span<const std::byte> bytes) {
  constexpr std::byte kPickle{0x80};
  if (looks_like_zip(bytes)) return "torch.save zip";
  return bytes.front() == kPickle ? "torch.save stream" : "safetensors";
}

void compare(WeightsReport& report, const StateDict& state_dict, const WeightRecorder& network) {
  std::map<std::string_view, const ir::Shape*> found;
  for (const auto& [key, tensor] : state_dict.tensors) found[key] = &tensor.shape();
  const auto match = [&](const ExpectedTensor& wanted) {
    const auto tensor = found.find(wanted.key);
    if (tensor == found.end()) return false;
    if (*tensor->second != wanted.shape) {
      report.misshaped.push_back({wanted.key, wanted.shape, *tensor->second});
    }
    found.erase(tensor);
    return true;
  };
  for (const ExpectedTensor& wanted : network.expected()) {
    if (!match(wanted)) report.missing.push_back(wanted);
  }
  for (const ExpectedTensor& buffer : network.buffers()) match(buffer);
  for (const auto& [key, shape] : found) {
    if (!key.ends_with("num_batches_tracked")) {
      report.unexpected.push_back({std::string(key), *shape});
    }
  }
}

}  // namespace

WeightsReport check_weights(const ModelInfo& model, const std::filesystem::path& file) {
  const StateDict state_dict = load_checkpoint(file);
  WeightsReport report;
  report.format = format_of(map_file(file).bytes);
  for (const auto& [key, tensor] : state_dict.tensors) {
    ++report.dtypes[std::string(ir::name_of(tensor.dtype()))];
  }
  try {
    const FittedCheckpoint fitted = fit_checkpoint(model, state_dict);
    report.rules = fitted.rules;
    WeightRecorder network;
    build_model(fitted.model, network);
    report.parameters = network.parameter_count();
    compare(report, fitted.state_dict, network);
    if (report.fits()) load_model(model, state_dict);
  } catch (const InternalError&) {
    throw;
  } catch (const Error& error) {
    report.refusal = error.what();
  }
  return report;
}

}  // namespace quantc::frontend
