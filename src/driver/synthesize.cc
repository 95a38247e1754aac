#include "driver/synthesize.h"

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

// Calls visit(channel, value) for every element of [N,C,...] tensors.
template <typename Visit>
void for_each_element(const Batch& batch, Visit visit) {
  for (const ir::Tensor& tensor : batch) {
    const auto values = tensor.values<float>();
    const auto channels = static_cast<std::size_t>(tensor.shape().at(1));
    const std::size_t plane =
        values.size() / channels / static_cast<std::size_t>(tensor.shape()[0]);
    for (std::size_t i = 0; i < values.size(); ++i) visit(i / plane % channels, values[i]);
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
  for_each_element(batch, [&](std::size_t c, float value) { mean[c] += value / count; });
  for_each_element(batch, [&](std::size_t c, float value) {
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
        values_(graph_.values.size()),
        reads_(graph_.values.size()) {
    network_.pictures = pictures.size();
    for (std::size_t id = 0; id < users_.size(); ++id) reads_[id] = users_[id].size();
    for (const ir::ValueId output : graph_.outputs) ++reads_[index(output)];
    values_[index(graph_.inputs.at(0))] = std::move(pictures);
  }

  void run() {
    for (const ir::Node& node : graph_.nodes) {
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
    const target::IntegerRole role = target::integer_role(node.op);
    const bool is_function =
        role == target::IntegerRole::kActivation || role == target::IntegerRole::kTable;
    if (!is_function || graph_.value(node.output).type.shape.size() != 4) return;
    const Batch& batch = values_[index(node.output)];
    const auto channels = static_cast<std::size_t>(batch.at(0).shape()[1]);
    std::vector<float> least(channels, INFINITY);
    std::vector<float> most(channels, -INFINITY);
    for_each_element(batch, [&](std::size_t c, float value) {
      least[c] = std::min(least[c], value);
      most[c] = std::max(most[c], value);
    });
    channels_ += channels;
    for (std::size_t c = 0; c < channels; ++c) dead_ += least[c] == most[c] ? 1 : 0;
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
  std::vector<Batch> values_;
  std::vector<std::size_t> reads_;
  std::size_t channels_ = 0;
  std::size_t dead_ = 0;
};

}  // namespace

SyntheticNetwork synthesize(const frontend::ModelInfo& model, std::uint64_t seed,
                            std::optional<std::int64_t> input_size,
                            const quantize::CalibrationSource& pictures) {
  SyntheticNetwork network;
  frontend::SyntheticWeights weights(seed);
  network.graph = frontend::build_model(model, weights, input_size);
  Synthesis(network, first_pictures(pictures)).run();
  return network;
}

void write_checkpoint(const SyntheticNetwork& network, const frontend::ModelInfo& model,
                      std::uint64_t seed, const std::filesystem::path& path) {
  std::map<std::string, ir::Tensor> constants;
  for (const ir::Value& value : network.graph.values) {
    if (value.constant) constants.emplace(value.name, *value.constant);
  }
  frontend::NamedTensors tensors;
  for (const frontend::ExpectedTensor& expected : frontend::expected_tensors(model)) {
    tensors.emplace_back(expected.key, constants.at(expected.key));
  }
  frontend::write_safetensors(
      path, tensors,
      {{"model", std::string(model.name)}, {"origin", "synthetic, seed " + std::to_string(seed)}});
}

}  // namespace quantc::driver
