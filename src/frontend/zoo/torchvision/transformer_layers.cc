#include "frontend/zoo/torchvision/transformer_layers.h"

namespace quantc::frontend {

ir::ValueId channels_last(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  return b.apply(path, ir::Transpose{{0, 2, 3, 1}}, {x});
}

ir::ValueId channels_first(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  return b.apply(path, ir::Transpose{{0, 3, 1, 2}}, {x});
}

ir::ValueId mlp(ModuleBuilder& b, const std::string& path, const std::array<int, 3>& indices,
                ir::ValueId x) {
  const std::int64_t features = b.shape(x).back();
  const auto name = [&](std::size_t i) { return path + "." + std::to_string(indices.at(i)); };
  x = b.linear(name(0), x, 4 * features);
  x = b.apply(name(1), ir::Gelu{}, {x});
  return b.linear(name(2), x, features);
}

WeightAndBias weight_and_bias(ModuleBuilder& b, const std::string& path, const ir::Shape& weight,
                              ParameterRole role) {
  return {b.parameter(path + ".weight", weight, role),
          b.parameter(path + ".bias", {weight.at(0)}, ParameterRole::kBias)};
}

ir::ValueId attention_linear(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                             std::int64_t out_features) {
  const auto [weight, bias] =
      weight_and_bias(b, path, {out_features, b.shape(x).back()}, ParameterRole::kAttentionWeight);
  return b.apply(path, ir::Linear{}, {x, weight, bias});
}

Heads split_heads(ModuleBuilder& b, const std::string& path, ir::ValueId qkv, std::int64_t heads) {
  const std::int64_t tokens = b.shape(qkv).at(1);
  const std::int64_t features = b.shape(qkv).at(2) / 3;
  const auto part = [&](const std::string& name, std::int64_t index,
                        const std::vector<std::int64_t>& perm) {
    const std::int64_t first = index * features;
    const ir::ValueId slice = b.apply(
        name + ".slice", ir::Slice{.axis = 2, .start = first, .end = first + features}, {qkv});
    const ir::ValueId split =
        b.apply(name + ".split", ir::Reshape{{-1, tokens, heads, features / heads}}, {slice});
    return b.apply(name, ir::Transpose{perm}, {split});
  };
  return {part(path + ".query", 0, {0, 2, 1, 3}), part(path + ".key", 1, {0, 2, 3, 1}),
          part(path + ".value", 2, {0, 2, 1, 3})};
}

ir::ValueId scaled_scores(ModuleBuilder& b, const std::string& path, const Heads& heads,
                          double factor) {
  const ir::ValueId query = scaled(b, path + ".scale", heads.query, factor);
  return b.apply(path + ".scores", ir::Matmul{}, {query, heads.key});
}

ir::ValueId attend(ModuleBuilder& b, const std::string& path, ir::ValueId scores,
                   ir::ValueId value) {
  const ir::ValueId weights = b.apply(path + ".softmax", ir::Softmax{3}, {scores});
  ir::ValueId x = b.apply(path + ".attend", ir::Matmul{}, {weights, value});
  x = b.apply(path + ".join", ir::Transpose{{0, 2, 1, 3}}, {x});
  return b.apply(path + ".join.flatten", ir::Flatten{2}, {x});
}

ir::ValueId scaled(ModuleBuilder& b, const std::string& path, ir::ValueId x, double factor) {
  const std::vector<float> factors = {static_cast<float>(factor)};
  return b.apply(path, ir::Mul{}, {x, b.constant(path + ".factor", ir::Tensor::of({1}, factors))});
}

}  // namespace quantc::frontend
