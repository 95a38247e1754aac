#include "frontend/zoo/torchvision/swin_attention.h"

#include <cmath>

#include "frontend/zoo/torchvision/transformer_layers.h"
#include "frontend/zoo/torchvision/windows.h"

namespace quantc::frontend {
namespace {

ir::ValueId masked(ModuleBuilder& b, const std::string& path, ir::ValueId scores,
                   const WindowAttention& config) {
  return config.mask ? b.add(path + ".add_mask", scores, *config.mask) : scores;
}

ir::ValueId index_buffer(ModuleBuilder& b, const std::string& path, std::int64_t window) {
  const ir::Shape flat{window * window * window * window};
  return b.buffer(path + ".relative_position_index", relative_position_index(window, flat));
}

// The offsets from -(window - 1) to window - 1 along both axes, scaled to [-8, 8], on a logarithmic
// axis in units of log2(8), [1,2w-1,2w-1,2].
ir::Tensor relative_coords_table(std::int64_t window) {
  const auto coordinate = [&](std::int64_t offset) {
    const double scaled = 8.0 * static_cast<double>(offset) / static_cast<double>(window - 1);
    return static_cast<float>(std::copysign(std::log2(std::abs(scaled) + 1) / 3, scaled));
  };
  std::vector<float> table;
  for (std::int64_t down = 1 - window; down < window; ++down) {
    for (std::int64_t right = 1 - window; right < window; ++right) {
      table.insert(table.end(), {coordinate(down), coordinate(right)});
    }
  }
  return ir::Tensor::of({1, 2 * window - 1, 2 * window - 1, 2}, table);
}

// Keys have no bias, though the state_dict holds one.
ir::ValueId without_key_bias(ModuleBuilder& b, const std::string& path, ir::ValueId qkv_bias) {
  const auto features = static_cast<std::size_t>(b.shape(qkv_bias).at(0) / 3);
  std::vector<float> kept(3 * features, 1.0F);
  std::fill_n(kept.begin() + static_cast<std::ptrdiff_t>(features), features, 0.0F);
  const ir::ValueId mask = b.constant(path + ".kept_bias", ir::Tensor::of(b.shape(qkv_bias), kept));
  return b.apply(path + ".without_key_bias", ir::Mul{}, {qkv_bias, mask});
}

// x with length 1 along the axis.
ir::ValueId normalized(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                       std::int64_t axis) {
  ir::ValueId length =
      b.apply(path + ".length", ir::ReduceL2{.axes = {axis}, .keepdim = true}, {x});
  length = b.apply(path + ".clamp", ir::Clip{.min = 1e-12F}, {length});
  return b.apply(path, ir::Div{}, {x, length});
}

ir::ValueId cosine_scores(ModuleBuilder& b, const std::string& path, const Heads& heads,
                          ir::ValueId logit_scale) {
  const ir::ValueId query = normalized(b, path + ".normalized_query", heads.query, 3);
  const ir::ValueId key = normalized(b, path + ".normalized_key", heads.key, 2);
  const ir::ValueId cosines = b.apply(path + ".scores", ir::Matmul{}, {query, key});
  const ir::Clip at_most_100{.max = static_cast<float>(std::log(100.0))};
  ir::ValueId factor = b.apply(path + ".clamp", at_most_100, {logit_scale});
  factor = b.apply(path + ".exp", ir::Exp{}, {factor});
  return b.apply(path + ".scale", ir::Mul{}, {cosines, factor});
}

// 16 * sigmoid(a small network of the relative coordinates), [heads,w*w,w*w].
ir::ValueId continuous_position_bias(ModuleBuilder& b, const std::string& path,
                                     const WindowAttention& config) {
  const std::int64_t window = config.window;
  ir::ValueId table = b.buffer(path + ".relative_coords_table", relative_coords_table(window));
  const WeightAndBias hidden =
      weight_and_bias(b, path + ".cpb_mlp.0", {512, 2}, ParameterRole::kAttentionWeight);
  table = b.apply(path + ".cpb_mlp.0", ir::Linear{}, {table, hidden.weight, hidden.bias});
  table = b.relu(path + ".cpb_mlp.1", table);
  const ir::ValueId weight =
      b.parameter(path + ".cpb_mlp.2.weight", {config.heads, 512}, ParameterRole::kAttentionWeight);
  table = b.apply(path + ".cpb_mlp.2", ir::Linear{}, {table, weight});
  table = b.apply(path + ".cpb_table", ir::Reshape{{-1, config.heads}}, {table});
  ir::ValueId bias =
      position_bias(b, path + ".position_bias", table, index_buffer(b, path, window), window);
  bias = b.apply(path + ".sigmoid", ir::Sigmoid{}, {bias});
  return scaled(b, path + ".scaled_bias", bias, 16);
}

}  // namespace

ir::ValueId biased_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                             const WindowAttention& config) {
  const std::int64_t channels = b.shape(x).back();
  const std::int64_t positions = (2 * config.window - 1) * (2 * config.window - 1);
  const ir::ValueId table = b.parameter(path + ".relative_position_bias_table",
                                        {positions, config.heads}, ParameterRole::kEmbedding);
  const ir::ValueId index = index_buffer(b, path, config.window);
  const ir::ValueId qkv = attention_linear(b, path + ".qkv", x, 3 * channels);
  const Heads heads = split_heads(b, path, qkv, config.heads);
  const std::int64_t head_size = channels / config.heads;
  ir::ValueId scores = scaled_scores(b, path, heads, 1 / std::sqrt(static_cast<double>(head_size)));
  const ir::ValueId bias = position_bias(b, path + ".position_bias", table, index, config.window);
  scores = masked(b, path, b.add(path + ".add_bias", scores, bias), config);
  return attention_linear(b, path + ".proj", attend(b, path, scores, heads.value), channels);
}

ir::ValueId cosine_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                             const WindowAttention& config) {
  const std::int64_t channels = b.shape(x).back();
  const ir::ValueId logit_scale =
      b.parameter(path + ".logit_scale", {config.heads, 1, 1}, ParameterRole::kLogScale);
  const WeightAndBias qkv =
      weight_and_bias(b, path + ".qkv", {3 * channels, channels}, ParameterRole::kAttentionWeight);
  const WeightAndBias proj =
      weight_and_bias(b, path + ".proj", {channels, channels}, ParameterRole::kAttentionWeight);
  const ir::ValueId bias = continuous_position_bias(b, path, config);
  x = b.apply(path + ".qkv", ir::Linear{}, {x, qkv.weight, without_key_bias(b, path, qkv.bias)});
  const Heads heads = split_heads(b, path, x, config.heads);
  ir::ValueId scores = cosine_scores(b, path, heads, logit_scale);
  scores = masked(b, path, b.add(path + ".add_bias", scores, bias), config);
  x = attend(b, path, scores, heads.value);
  return b.apply(path + ".proj", ir::Linear{}, {x, proj.weight, proj.bias});
}

}  // namespace quantc::frontend
