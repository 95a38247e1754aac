#include "driver/synthesize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontend/checkpoint/safetensors.h"
#include "reference/executor.h"
#include "target/capability.h"

namespace quantc::driver {
namespace {

using Batch = std::vector<ir::Tensor>;  // One tensor a picture.

// A channel that a picture gives one number, as behind a pool, says little about being dead.
constexpr std::int64_t kFewestPositions = 4;

std::size_t index(ir::ValueId id) { return static_cast<std::size_t>(id); }

Batch first_pictures(const quantize::CalibrationSource& source) {
  Batch pictures;
  while (pictures.size() < kMostStatisticsPictures) {
    auto picture = source();
    if (!picture) break;
    pictures.push_back(std::move(*picture));
  }
  if (pictures.empty()) throw InputError("expected at least one picture, found none");
  return pictures;
}

// Calls visit(channel, value) for every element of tensors whose channels lie along `axis`.
template <typename Visit>
void for_each_element(const Batch& batch, std::size_t axis, Visit visit) {
  for (const ir::Tensor& tensor : batch) {
    const ir::Shape& shape = tensor.shape();
    const auto channels = static_cast<std::size_t>(shape.at(axis));
    const auto inner = static_cast<std::size_t>(
        ir::element_count({shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end()}));
    const auto values = tensor.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) visit(i / inner % channels, values[i]);
  }
}

struct Statistics {
  std::vector<float> mean;
  std::vector<float> variance;
};

Statistics statistics_of(const Batch& batch) {
  const auto channels = static_cast<std::size_t>(batch.at(0).shape().at(1));
  const double count = static_cast<double>(batch.size()) *
                       static_cast<double>(batch[0].elements()) / static_cast<double>(channels);
  std::vector<double> mean(channels, 0);
  std::vector<double> variance(channels, 0);
  for_each_element(batch, 1, [&](std::size_t c, float value) { mean[c] += value / count; });
  for_each_element(batch, 1, [&](std::size_t c, float value) {
    variance[c] += (value - mean[c]) * (value - mean[c]) / count;
  });
  return {{mean.begin(), mean.end()}, {variance.begin(), variance.end()}};
}

// Runs all pictures together, node by node, because a BatchNorm's statistics need all of them and
// the next layer needs the BatchNorm.
class Synthesis {
 public:
  Synthesis(SyntheticNetwork& network, Batch pictures)
      : network_(network),
        graph_(network.graph),
        users_(ir::users(graph_)),
        producers_(ir::producers(graph_)),
        values_(graph_.values.size()),
        reads_(graph_.values.size()) {
    network_.pictures = pictures.size();
    for (std::size_t id = 0; id < users_.size(); ++id) reads_[id] = users_[id].size();
    for (const ir::ValueId output : graph_.outputs) ++reads_[index(output)];
    values_[index(graph_.inputs.at(0))] = std::move(pictures);
  }

  void run(const Progress& progress) {
    std::size_t done = 0;
    for (const ir::Node& node : graph_.nodes) {
      progress(fmt::format("synthetic statistics: layer {} of {}", ++done, graph_.nodes.size()));
      with_context(node.name, [&] { run_node(node); });
    }
    network_.dead_channels =
        channels_ == 0 ? 0 : static_cast<double>(dead_) / static_cast<double>(channels_);
    network_.logit_spread = spread(values_[index(graph_.outputs.at(0))]);
  }

 private:
  void run_node(const ir::Node& node) {
    if (std::holds_alternative<ir::BatchNorm>(node.op)) set_statistics(node);
    Batch& made = values_[index(node.output)];
    for (std::size_t picture = 0; picture < network_.pictures; ++picture) {
      std::vector<ir::Tensor> operands;
      for (const ir::ValueId id : node.inputs) operands.push_back(operand(id, picture));
      made.push_back(reference::evaluate(node.op, operands));
    }
    count_dead(node);
    for (const ir::ValueId id : node.inputs) {
      if (--reads_[index(id)] == 0) values_[index(id)].clear();
    }
  }

  ir::Tensor operand(ir::ValueId id, std::size_t picture) const {
    const ir::Value& value = graph_.value(id);
    return value.constant ? *value.constant : values_[index(id)].at(picture);
  }

  void set_statistics(const ir::Node& norm) {
    const Statistics statistics = statistics_of(values_[index(norm.inputs[0])]);
    const ir::Shape shape{static_cast<std::int64_t>(statistics.mean.size())};
    graph_.value(norm.inputs.at(3)).constant = ir::Tensor::of(shape, statistics.mean);
    graph_.value(norm.inputs.at(4)).constant = ir::Tensor::of(shape, statistics.variance);
  }

  void count_dead(const ir::Node& node) {
    if (!is_function(node.op)) return;
    const Batch& batch = values_[index(node.output)];
    const ir::Shape& shape = batch.at(0).shape();
    const std::size_t axis = channel_axis(node);
    const auto channels = static_cast<std::size_t>(shape.at(axis));
    if (batch[0].elements() < kFewestPositions * shape[axis]) return;
    std::vector<float> least(channels, INFINITY);
    std::vector<float> most(channels, -INFINITY);
    for_each_element(batch, axis, [&](std::size_t c, float value) {
      least[c] = std::min(least[c], value);
      most[c] = std::max(most[c], value);
    });
    channels_ += channels;
    for (std::size_t c = 0; c < channels; ++c) dead_ += least[c] == most[c] ? 1 : 0;
  }

  static bool is_function(const ir::Op& op) {
    const target::IntegerRole role = target::integer_role(op);
    return role == target::IntegerRole::kActivation || role == target::IntegerRole::kTable;
  }

  // Matrices have the features last, images the channels first.
  std::size_t channel_axis(const ir::Node& node) const {
    const auto producer = producers_[index(node.inputs.at(0))];
    const bool behind_matrix =
        producer && std::holds_alternative<ir::Linear>(graph_.node(*producer).op);
    return behind_matrix ? graph_.value(node.output).type.shape.size() - 1 : 1;
  }

  static double spread(const Batch& logits) {
    double sum = 0;
    for (const ir::Tensor& picture : logits) {
      const Statistics all = statistics_of({picture.reshaped({1, 1, picture.elements()})});
      sum += std::sqrt(all.variance.at(0));
    }
    return sum / static_cast<double>(logits.size());
  }

  SyntheticNetwork& network_;
  ir::Graph& graph_;
  std::vector<std::vector<ir::NodeId>> users_;
  std::vector<std::optional<ir::NodeId>> producers_;
  std::vector<Batch> values_;
  std::vector<std::size_t> reads_;
  std::size_t channels_ = 0;
  std::size_t dead_ = 0;
};

}  // namespace

SyntheticNetwork synthesize(const frontend::ModelInfo& model, std::uint64_t seed,
                            std::optional<std::int64_t> input_size,
                            const quantize::CalibrationSource& pictures, const Progress& progress) {
  SyntheticNetwork network;
  frontend::SyntheticWeights weights(seed);
  network.graph = frontend::build_model(model, weights, input_size);
  Synthesis(network, first_pictures(pictures)).run(progress);
  return network;
}

void write_checkpoint(const SyntheticNetwork& network, const frontend::ModelInfo& model,
                      std::uint64_t seed, const std::filesystem::path& path) {
  std::map<std::string, ir::Tensor> constants;
  for (const ir::Value& value : network.graph.values) {
    if (value.constant) constants.emplace(value.name, *value.constant);
  }
  frontend::NamedTensors tensors;
  for (const auto& list : {frontend::expected_tensors(model), frontend::computed_tensors(model)}) {
    for (const auto& [key, shape] : list) tensors.emplace_back(key, constants.at(key));
  }
  frontend::write_safetensors(
      path, tensors,
      {{"model", std::string(model.name)}, {"origin", "synthetic, seed " + std::to_string(seed)}});
}

}  // namespace quantc::driver
