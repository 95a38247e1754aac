#include "frontend/zoo/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "frontend/zoo/checkpoint_rules.h"

namespace quantc::frontend {
namespace {

constexpr std::int64_t kMaxInputSize = 8192;

// Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (letter == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// A name that was typed only in part is the closest.
std::size_t distance(std::string_view typed, std::string_view name) {
  return name.starts_with(typed) ? 0 : edit_distance(typed, name);
}

std::vector<std::string_view> closest_names(std::string_view typed) {
  std::vector<std::string_view> names(all_models().size());
  std::ranges::transform(all_models(), names.begin(), &ModelInfo::name);
  std::ranges::stable_sort(names, {}, [&](std::string_view name) { return distance(typed, name); });
  names.resize(3);
  return names;
}

// The state_dict without the tensors that the network computes by itself. Those of another shape
// belong to another network.
StateDict without_buffers(StateDict state_dict, const std::vector<ExpectedTensor>& buffers) {
  std::map<std::string_view, const ir::Shape*> shapes;
  for (const ExpectedTensor& buffer : buffers) shapes[buffer.key] = &buffer.shape;
  std::erase_if(state_dict.tensors, [&](const auto& entry) {
    const auto& [key, tensor] = entry;
    const auto computed = shapes.find(key);
    if (computed == shapes.end()) return false;
    if (tensor.shape() == *computed->second) return true;
    throw InputError(fmt::format("{}: {}: expected shape {}, found {}", state_dict.path, key,
                                 ir::to_string(*computed->second), ir::to_string(tensor.shape())));
  });
  return state_dict;
}

void require_size(const ModelInfo& model, std::int64_t size) {
  if (model.fixed_size && size != model.min_size) {
    throw InputError(fmt::format("{}: input size: expected exactly {}, found {}", model.name,
                                 model.min_size, size));
  }
  if (size < model.min_size || size > kMaxInputSize) {
    throw InputError(
        fmt::format("{}: input size: expected {} to {}, found {}; its weights expect {}",
                    model.name, model.min_size, kMaxInputSize, size, model.preprocessing.crop));
  }
}

}  // namespace

const ModelInfo& find_model(std::string_view name) {
  for (const ModelInfo& model : all_models()) {
    if (model.name == name) return model;
  }
  throw InputError(fmt::format(
      "model: expected a network's name, found '{}'; closest: {}; `quantc models` lists all", name,
      fmt::join(closest_names(name), ", ")));
}

ir::Graph build_model(const ModelInfo& model, WeightSource& weights,
                      std::optional<std::int64_t> input_size) {
  const std::int64_t size = input_size.value_or(model.preprocessing.crop);
  require_size(model, size);
  ModuleBuilder builder(std::string(model.name), weights);
  const ir::ValueId image = builder.input(size);
  return builder.take(
      std::visit([&](const auto& config) { return build(builder, image, config); }, model.config));
}

ir::Graph load_model(const ModelInfo& model, const StateDict& state_dict,
                     std::optional<std::int64_t> input_size) {
  const FittedCheckpoint fitted = fit_checkpoint(model, state_dict);
  WeightRecorder recorder;
  build_model(fitted.model, recorder);
  CheckpointWeights weights(
      bind_tensors(without_buffers(fitted.state_dict, recorder.buffers()), recorder.expected()));
  return build_model(fitted.model, weights, input_size);
}

std::vector<ExpectedTensor> expected_tensors(const ModelInfo& model) {
  WeightRecorder recorder;
  build_model(model, recorder);
  return recorder.expected();
}

std::vector<ExpectedTensor> computed_tensors(const ModelInfo& model) {
  WeightRecorder recorder;
  build_model(model, recorder);
  return recorder.buffers();
}

}  // namespace quantc::frontend
