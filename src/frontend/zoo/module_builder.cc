#include "frontend/zoo/module_builder.h"

#include <utility>

#include "ir/verify.h"

namespace quantc::frontend {

ir::ValueId ModuleBuilder::parameter(const std::string& key, const ir::Shape& shape,
                                     ParameterRole role) {
  return graph_.add_constant(key, weights_.get(key, shape, role));
}

ir::ValueId ModuleBuilder::constant(const std::string& name, ir::Tensor tensor) {
  return graph_.add_constant(name, std::move(tensor));
}

ir::ValueId ModuleBuilder::buffer(const std::string& key, ir::Tensor tensor) {
  weights_.note_buffer(key, tensor.shape());
  return constant(key, std::move(tensor));
}

ir::ValueId ModuleBuilder::apply(const std::string& path, ir::Op op,
                                 std::vector<ir::ValueId> inputs) {
  return graph_.add_node(path, std::move(op), std::move(inputs));
}

ir::ValueId ModuleBuilder::input(std::int64_t size) {
  return graph_.add_input("input", {ir::DType::kFloat32, {1, 3, size, size}});
}

ir::ValueId ModuleBuilder::conv(const std::string& path, ir::ValueId x, const ConvConfig& config) {
  const ir::Shape weight_shape{config.out_channels, channels(x) / config.groups, config.kernel.h,
                               config.kernel.w};
  std::vector<ir::ValueId> inputs = {
      x, parameter(path + ".weight", weight_shape, ParameterRole::kWeight)};
  if (config.bias) {
    inputs.push_back(parameter(path + ".bias", {config.out_channels}, ParameterRole::kBias));
  }
  return apply(path,
               ir::Conv2d{.stride = config.stride,
                          .padding = ir::Padding2d::symmetric(config.padding.h, config.padding.w),
                          .dilation = config.dilation,
                          .groups = config.groups},
               std::move(inputs));
}

ir::ValueId ModuleBuilder::batch_norm(const std::string& path, ir::ValueId x,
                                      const NormConfig& config) {
  const ir::Shape shape{channels(x)};
  const ParameterRole weight_role =
      config.ends_residual_branch ? ParameterRole::kResidualScale : ParameterRole::kNormWeight;
  return apply(path, ir::BatchNorm{config.eps},
               {x, parameter(path + ".weight", shape, weight_role),
                parameter(path + ".bias", shape, ParameterRole::kNormBias),
                parameter(path + ".running_mean", shape, ParameterRole::kRunningMean),
                parameter(path + ".running_var", shape, ParameterRole::kRunningVar)});
}

ir::ValueId ModuleBuilder::linear(const std::string& path, ir::ValueId x, std::int64_t out_features,
                                  bool bias) {
  std::vector<ir::ValueId> inputs = {
      x, parameter(path + ".weight", {out_features, shape(x).back()}, ParameterRole::kWeight)};
  if (bias) inputs.push_back(parameter(path + ".bias", {out_features}, ParameterRole::kBias));
  return apply(path, ir::Linear{}, std::move(inputs));
}

ir::ValueId ModuleBuilder::layer_norm(const std::string& path, ir::ValueId x, double eps) {
  const ir::Shape last{shape(x).back()};
  return apply(path, ir::LayerNorm{.eps = eps, .normalized_dims = 1},
               {x, parameter(path + ".weight", last, ParameterRole::kNormWeight),
                parameter(path + ".bias", last, ParameterRole::kNormBias)});
}

ir::ValueId ModuleBuilder::relu(const std::string& path, ir::ValueId x) {
  return apply(path, ir::Relu{}, {x});
}

ir::ValueId ModuleBuilder::relu6(const std::string& path, ir::ValueId x) {
  return apply(path, ir::Clip{0.0F, 6.0F}, {x});
}

ir::ValueId ModuleBuilder::add(const std::string& path, ir::ValueId a, ir::ValueId b) {
  return apply(path, ir::Add{}, {a, b});
}

ir::ValueId ModuleBuilder::concat(const std::string& path, std::vector<ir::ValueId> parts) {
  return apply(path, ir::Concat{1}, std::move(parts));
}

ir::ValueId ModuleBuilder::max_pool(const std::string& path, ir::ValueId x,
                                    const PoolConfig& config) {
  return apply(path,
               ir::MaxPool2d{.kernel = {config.kernel, config.kernel},
                             .stride = {config.stride, config.stride},
                             .padding = ir::Padding2d::symmetric(config.padding, config.padding),
                             .ceil_mode = config.ceil_mode},
               {x});
}

ir::ValueId ModuleBuilder::adaptive_avg_pool(const std::string& path, ir::ValueId x,
                                             std::int64_t size) {
  return apply(path, ir::AdaptiveAvgPool2d{{size, size}}, {x});
}

ir::ValueId ModuleBuilder::flatten(const std::string& path, ir::ValueId x) {
  return apply(path, ir::Flatten{1}, {x});
}

ir::Graph ModuleBuilder::take(ir::ValueId output) {
  graph_.outputs = {output};
  ir::verify(graph_);
  return std::move(graph_);
}

}  // namespace quantc::frontend
