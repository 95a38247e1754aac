// MaxViT (Tu et al. 2022).
#include <cmath>

#include "frontend/zoo/torchvision/conv_norm_activation.h"
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/squeeze_excitation.h"
#include "frontend/zoo/torchvision/transformer_layers.h"
#include "frontend/zoo/torchvision/windows.h"

namespace quantc::frontend {
namespace {

constexpr NormConfig kBatchNorm{.eps = 1e-3};
constexpr NormConfig kLastBatchNorm{.eps = 1e-3, .ends_residual_branch = true};
constexpr double kLayerNormEps = 1e-5;
constexpr std::int64_t kWindow = 7;
constexpr std::int64_t kHeadSize = 32;
constexpr std::int64_t kStemChannels = 64;

struct Block {
  std::int64_t channels, layers;
};

constexpr std::array<Block, 4> kBlocks = {{{64, 2}, {128, 2}, {256, 5}, {512, 2}}};

ir::ValueId shortcut(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                     std::int64_t channels) {
  const ir::AvgPool2d pool{
      .kernel = {3, 3}, .stride = {2, 2}, .padding = ir::Padding2d::symmetric(1, 1)};
  return b.conv(path + ".1", b.apply(path + ".0", pool, {x}), {.out_channels = channels});
}

ir::ValueId mb_conv(ModuleBuilder& b, const std::string& path, ir::ValueId input,
                    std::int64_t channels, std::int64_t stride) {
  const ir::ValueId identity = stride == 1 ? input : shortcut(b, path + ".proj", input, channels);
  const std::string layers = path + ".layers.";
  const std::int64_t hidden = channels * 4;
  ir::ValueId x = b.batch_norm(layers + "pre_norm", input, kBatchNorm);
  x = conv_norm_activation(b, layers + "conv_a", x,
                           {.out_channels = hidden, .norm = kBatchNorm, .activation = ir::Gelu{}});
  x = conv_norm_activation(b, layers + "conv_b", x,
                           {.out_channels = hidden,
                            .kernel = 3,
                            .stride = stride,
                            .groups = hidden,
                            .norm = kLastBatchNorm,
                            .activation = ir::Gelu{}});
  x = squeeze_excitation(b, layers + "squeeze_excitation", x,
                         {.squeeze_channels = channels / 4, .activation = ir::Silu{}});
  x = b.conv(layers + "conv_c", x, {.out_channels = channels});
  return b.add(path + ".add", identity, x);
}

// The scores are scaled by the number of all features, not that of a head.
ir::ValueId relative_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  const std::int64_t features = b.shape(x).back();
  const std::int64_t tokens = kWindow * kWindow;
  const std::int64_t positions = (2 * kWindow - 1) * (2 * kWindow - 1);
  const ir::ValueId table =
      b.parameter(path + ".relative_position_bias_table", {positions, features / kHeadSize},
                  ParameterRole::kEmbedding);
  const ir::ValueId index = b.buffer(path + ".relative_position_index",
                                     relative_position_index(kWindow, {tokens, tokens}));
  const ir::ValueId qkv = attention_linear(b, path + ".to_qkv", x, 3 * features);
  const Heads heads = split_heads(b, path, qkv, features / kHeadSize);
  const ir::ValueId scores =
      scaled_scores(b, path, heads, 1 / std::sqrt(static_cast<double>(features)));
  const ir::ValueId bias = position_bias(b, path + ".position_bias", table, index, kWindow);
  x = attend(b, path, b.add(path + ".add_bias", scores, bias), heads.value);
  return attention_linear(b, path + ".merge", x, features);
}

// Attention and MLP within the groups of the map x [1,H,W,C].
ir::ValueId partition_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                                bool grid) {
  const Partition groups{.size = b.shape(x).at(1), .window = kWindow, .grid = grid};
  x = partition(b, path + ".partition_op", x, groups);
  ir::ValueId branch = b.layer_norm(path + ".attn_layer.0", x, kLayerNormEps);
  x = b.add(path + ".add_1", x, relative_attention(b, path + ".attn_layer.1", branch));
  branch = b.layer_norm(path + ".mlp_layer.0", x, kLayerNormEps);
  x = b.add(path + ".add_2", x, mlp(b, path + ".mlp_layer", {1, 2, 3}, branch));
  return departition(b, path + ".departition_op", x, groups);
}

ir::ValueId layer(ModuleBuilder& b, const std::string& path, ir::ValueId x, std::int64_t channels,
                  std::int64_t stride) {
  x = mb_conv(b, path + ".MBconv", x, channels, stride);
  x = channels_last(b, path + ".channels_last", x);
  x = partition_attention(b, path + ".window_attention", x, false);
  x = partition_attention(b, path + ".grid_attention", x, true);
  return channels_first(b, path + ".channels_first", x);
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const MaxVitConfig& /*config*/) {
  x = conv_norm_activation(b, "stem.0", x,
                           {.out_channels = kStemChannels,
                            .kernel = 3,
                            .stride = 2,
                            .norm = kBatchNorm,
                            .activation = ir::Gelu{}});
  x = b.conv("stem.1.0", x, {.out_channels = kStemChannels, .kernel = {3, 3}, .padding = {1, 1}});
  int index = 0;
  for (const Block& block : kBlocks) {
    const std::string path = "blocks." + std::to_string(index++) + ".layers.";
    for (std::int64_t i = 0; i < block.layers; ++i) {
      x = layer(b, path + std::to_string(i) + ".layers", x, block.channels, i == 0 ? 2 : 1);
    }
  }
  x = b.flatten("classifier.1", b.adaptive_avg_pool("classifier.0", x, 1));
  x = b.layer_norm("classifier.2", x, kLayerNormEps);
  x = b.linear("classifier.3", x, b.shape(x).back());
  x = b.apply("classifier.4", ir::Tanh{}, {x});
  return b.linear("classifier.5", x, kImageNetClasses, false);
}

}  // namespace quantc::frontend
