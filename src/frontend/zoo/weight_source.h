// Where a network's parameters come from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontend/checkpoint/state_dict.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// What a parameter is for; synthetic weights depend on it.
enum class ParameterRole : std::uint8_t {
  kWeight,
  kBias,
  kNormWeight,
  kResidualScale,  ///< Weight of the last norm of a residual branch, or its layer scale.
  kNormBias,
  kRunningMean,
  kRunningVar,
  kAttentionWeight,  ///< Of a linear layer around the scores of an attention.
  kEmbedding,        ///< A table that is added to tokens or scores, or stands in for a token.
  kLogScale,         ///< Logarithm of the factor on the cosines of an attention.
};

class WeightSource {
 public:
  virtual ~WeightSource() = default;

  /// The parameter `key`, float32 of exactly `shape`.
  virtual ir::Tensor get(const std::string& key, const ir::Shape& shape, ParameterRole role) = 0;

  /// Called for each tensor of the state_dict that the network computes by itself.
  virtual void note_buffer(const std::string& /*key*/, const ir::Shape& /*shape*/) {}
};

/// Hands out zeros that occupy no memory and remembers what was asked for, in order.
class WeightRecorder : public WeightSource {
 public:
  ir::Tensor get(const std::string& key, const ir::Shape& shape, ParameterRole role) override;
  void note_buffer(const std::string& key, const ir::Shape& shape) override;

  const std::vector<ExpectedTensor>& expected() const { return expected_; }
  const std::vector<ExpectedTensor>& buffers() const { return buffers_; }

  /// Trained numbers: all but running statistics.
  std::int64_t parameter_count() const { return parameter_count_; }

 private:
  std::vector<ExpectedTensor> expected_;
  std::vector<ExpectedTensor> buffers_;
  std::int64_t parameter_count_ = 0;
};

/// Hands out the tensors of a checkpoint that bind_tensors accepted.
class CheckpointWeights : public WeightSource {
 public:
  explicit CheckpointWeights(std::map<std::string, ir::Tensor> tensors)
      : tensors_(std::move(tensors)) {}
  ir::Tensor get(const std::string& key, const ir::Shape& shape, ParameterRole role) override;

 private:
  std::map<std::string, ir::Tensor> tensors_;
};

/// Seeded random weights, bit for bit the same on every machine and in whatever order they are
/// asked for: convolutions and matrices of He et al. 2015 (deviation sqrt(2 / fan_in)), biases and
/// means of deviation 0.02, norm weights and variances uniform in [0.8, 1.2). Residual scales lie
/// in [0.2, 0.4), so that a deep sum of branches stays near its input's range. Attention's weights
/// have deviation sqrt(1 / fan_in), as LeCun et al. 1998, which keeps softmax from saturating;
/// embeddings have deviation 0.5; logarithmic scales lie in [2, 2.6), around the ln(10) they are
/// trained from.
class SyntheticWeights : public WeightSource {
 public:
  explicit SyntheticWeights(std::uint64_t seed) : seed_(seed) {}
  ir::Tensor get(const std::string& key, const ir::Shape& shape, ParameterRole role) override;

 private:
  std::uint64_t seed_;
};

}  // namespace quantc::frontend
