// Builds a graph module by module, under the names that PyTorch's state_dict gives them.
#pragma once

#include <string>
#include <vector>

#include "frontend/zoo/weight_source.h"
#include "ir/graph.h"

namespace quantc::frontend {

struct ConvConfig {
  std::int64_t out_channels = 0;
  ir::Size2d kernel{1, 1};
  ir::Size2d stride{1, 1};
  ir::Size2d padding{0, 0};
  ir::Size2d dilation{1, 1};
  std::int64_t groups = 1;
  bool bias = true;
};

struct PoolConfig {
  std::int64_t kernel = 2;
  std::int64_t stride = 2;
  std::int64_t padding = 0;
  bool ceil_mode = false;
};

struct NormConfig {
  double eps = 1e-5;
  bool ends_residual_branch = false;  ///< Of interest to synthetic weights only.
};

/// Every function but `input`, `constant`, `buffer` and `parameter` adds one node named `path` and
/// returns its value. Parameters are asked for as `path`.weight, `path`.bias and so on, in the
/// order of PyTorch's state_dict.
class ModuleBuilder {
 public:
  ModuleBuilder(std::string name, WeightSource& weights) : weights_(weights) {
    graph_.name = std::move(name);
  }

  /// The image, f32[1,3,size,size].
  ir::ValueId input(std::int64_t size);

  ir::ValueId conv(const std::string& path, ir::ValueId x, const ConvConfig& config);
  ir::ValueId batch_norm(const std::string& path, ir::ValueId x, const NormConfig& config = {});
  /// Normalizes the last dimension.
  ir::ValueId layer_norm(const std::string& path, ir::ValueId x, double eps);
  ir::ValueId linear(const std::string& path, ir::ValueId x, std::int64_t out_features,
                     bool bias = true);
  ir::ValueId relu(const std::string& path, ir::ValueId x);
  ir::ValueId relu6(const std::string& path, ir::ValueId x);
  ir::ValueId add(const std::string& path, ir::ValueId a, ir::ValueId b);
  ir::ValueId concat(const std::string& path, std::vector<ir::ValueId> parts);
  ir::ValueId max_pool(const std::string& path, ir::ValueId x, const PoolConfig& config);
  ir::ValueId adaptive_avg_pool(const std::string& path, ir::ValueId x, std::int64_t size);
  ir::ValueId flatten(const std::string& path, ir::ValueId x);

  /// Any op without parameters of its own.
  ir::ValueId apply(const std::string& path, ir::Op op, std::vector<ir::ValueId> inputs);

  /// A value that does not come from the weights.
  ir::ValueId constant(const std::string& name, ir::Tensor tensor);

  /// A value that the state_dict holds under `key` although the network can compute it, as here. A
  /// checkpoint may lack it.
  ir::ValueId buffer(const std::string& key, ir::Tensor tensor);

  /// The parameter `key` of the state_dict.
  ir::ValueId parameter(const std::string& key, const ir::Shape& shape, ParameterRole role);

  const ir::Shape& shape(ir::ValueId x) const { return graph_.value(x).type.shape; }

  /// Size of dimension 1.
  std::int64_t channels(ir::ValueId x) const { return shape(x).at(1); }

  /// The finished, verified graph with this output. The builder is of no use afterwards.
  ir::Graph take(ir::ValueId output);

 private:
  ir::Graph graph_;
  WeightSource& weights_;
};

}  // namespace quantc::frontend
