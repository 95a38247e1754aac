// Vision Transformer (Dosovitskiy et al. 2020).
#include <cmath>

#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/transformer_layers.h"

namespace quantc::frontend {
namespace {

constexpr double kNormEps = 1e-6;

ir::ValueId self_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                           std::int64_t head_count) {
  const std::int64_t features = b.shape(x).back();
  const ir::ValueId weight = b.parameter(path + ".in_proj_weight", {3 * features, features},
                                         ParameterRole::kAttentionWeight);
  const ir::ValueId bias =
      b.parameter(path + ".in_proj_bias", {3 * features}, ParameterRole::kBias);
  x = b.apply(path + ".in_proj", ir::Linear{}, {x, weight, bias});
  const Heads heads = split_heads(b, path, x, head_count);
  const std::int64_t head_size = features / head_count;
  const ir::ValueId scores =
      scaled_scores(b, path, heads, 1 / std::sqrt(static_cast<double>(head_size)));
  return attention_linear(b, path + ".out_proj", attend(b, path, scores, heads.value), features);
}

ir::ValueId encoder_layer(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                          std::int64_t head_count) {
  ir::ValueId branch = b.layer_norm(path + ".ln_1", x, kNormEps);
  branch = self_attention(b, path + ".self_attention", branch, head_count);
  x = b.add(path + ".add_1", branch, x);
  branch = b.layer_norm(path + ".ln_2", x, kNormEps);
  branch = mlp(b, path + ".mlp", {0, 1, 3}, branch);
  return b.add(path + ".add_2", x, branch);
}

// The image x in patches, one token each, [1,patches,features].
ir::ValueId patches(ModuleBuilder& b, ir::ValueId x, const VitConfig& config) {
  const ir::Size2d patch{config.patch, config.patch};
  x = b.conv("conv_proj", x, {.out_channels = config.features, .kernel = patch, .stride = patch});
  x = b.apply("patches.flatten", ir::Flatten{2}, {x});
  return b.apply("patches", ir::Transpose{{0, 2, 1}}, {x});
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const VitConfig& config) {
  const ir::ValueId class_token =
      b.parameter("class_token", {1, 1, config.features}, ParameterRole::kEmbedding);
  x = b.apply("cat", ir::Concat{1}, {class_token, patches(b, x, config)});
  const ir::ValueId positions =
      b.parameter("encoder.pos_embedding", b.shape(x), ParameterRole::kEmbedding);
  x = b.add("encoder.add", x, positions);
  for (std::int64_t i = 0; i < config.layers; ++i) {
    x = encoder_layer(b, "encoder.layers.encoder_layer_" + std::to_string(i), x, config.heads);
  }
  x = b.layer_norm("encoder.ln", x, kNormEps);
  x = b.apply("select", ir::Slice{.axis = 1, .start = 0, .end = 1}, {x});
  return b.linear("heads.head", b.flatten("flatten", x), kImageNetClasses);
}

}  // namespace quantc::frontend
