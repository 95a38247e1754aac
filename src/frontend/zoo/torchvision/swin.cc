// Swin Transformer (Liu et al. 2021) and Swin Transformer V2 (Liu et al. 2022).
#include "frontend/zoo/torchvision/families.h"
#include "frontend/zoo/torchvision/swin_attention.h"
#include "frontend/zoo/torchvision/transformer_layers.h"
#include "frontend/zoo/torchvision/windows.h"

namespace quantc::frontend {
namespace {

constexpr double kNormEps = 1e-5;
constexpr std::int64_t kHeadSize = 32;

struct Version {
  std::int64_t window;
  bool norm_last;  // Normalizes what a branch or the merging of patches yields, not what it takes.
  ir::ValueId (*attention)(ModuleBuilder&, const std::string&, ir::ValueId, const WindowAttention&);
};

constexpr Version kVersion1 = {7, false, biased_attention};
constexpr Version kVersion2 = {8, true, cosine_attention};

ir::ValueId normalized(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                       const WeightAndBias& norm) {
  return b.apply(path, ir::LayerNorm{.eps = kNormEps, .normalized_dims = 1},
                 {x, norm.weight, norm.bias});
}

// Attention within windows of the map x, shifted by half a window or not. A window that covers the
// map has nowhere to go.
ir::ValueId window_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x, bool shifted,
                             const Version& version) {
  const std::int64_t size = b.shape(x).at(1);
  const std::int64_t shift = version.window / 2;
  x = pad_to_multiple(b, path + ".pad", x, version.window);
  const Partition windows{.size = b.shape(x).at(1), .window = version.window};
  WindowAttention attention{version.window, b.shape(x).back() / kHeadSize, std::nullopt};
  shifted = shifted && version.window < windows.size;
  if (shifted) {
    x = roll(b, path + ".shift", x, shift);
    attention.mask = b.constant(path + ".mask", shift_mask(windows.size, version.window, shift));
  }
  x = partition(b, path + ".partition", x, windows);
  x = version.attention(b, path, x, attention);
  x = departition(b, path + ".departition", x, windows);
  if (shifted) x = roll(b, path + ".unshift", x, windows.size - shift);
  return crop(b, path + ".crop", x, size);
}

ir::ValueId block(ModuleBuilder& b, const std::string& path, ir::ValueId x, bool shifted,
                  const Version& version) {
  const ir::Shape channels{b.shape(x).back()};
  const ParameterRole role =
      version.norm_last ? ParameterRole::kResidualScale : ParameterRole::kNormWeight;
  const auto add_branch = [&](const std::string& number, const auto& branch_of) {
    const std::string norm_path = path + ".norm" + number;
    const WeightAndBias norm = weight_and_bias(b, norm_path, channels, role);
    ir::ValueId branch = version.norm_last ? x : normalized(b, norm_path, x, norm);
    branch = branch_of(branch);
    if (version.norm_last) branch = normalized(b, norm_path, branch, norm);
    return b.add(path + ".add" + number, x, branch);
  };
  x = add_branch("1", [&](ir::ValueId branch) {
    return window_attention(b, path + ".attn", branch, shifted, version);
  });
  return add_branch("2", [&](ir::ValueId branch) {
    return mlp(b, path + ".mlp", {0, 1, 3}, branch);
  });
}

// The four pixels of each 2x2 block of the map side by side, column by column.
ir::ValueId blocks_of_four(ModuleBuilder& b, const std::string& path, ir::ValueId x) {
  x = pad_to_multiple(b, path + ".pad", x, 2);
  const std::int64_t size = b.shape(x).at(1);
  std::vector<ir::ValueId> parts;
  for (const std::int64_t column : {0, 1}) {
    for (const std::int64_t row : {0, 1}) {
      const std::string name = path + ".part_" + std::to_string(row) + std::to_string(column);
      const ir::ValueId rows =
          b.apply(name + ".rows", ir::Slice{.axis = 1, .start = row, .end = size, .step = 2}, {x});
      parts.push_back(
          b.apply(name, ir::Slice{.axis = 2, .start = column, .end = size, .step = 2}, {rows}));
    }
  }
  return b.apply(path + ".cat", ir::Concat{3}, parts);
}

// Half the map's size, twice the channels.
ir::ValueId patch_merging(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                          const Version& version) {
  x = blocks_of_four(b, path, x);
  const std::int64_t channels = b.shape(x).back();
  const ir::ValueId weight =
      b.parameter(path + ".reduction.weight", {channels / 2, channels}, ParameterRole::kWeight);
  const auto reduced = [&](ir::ValueId value) {
    return b.apply(path + ".reduction", ir::Linear{}, {value, weight});
  };
  return version.norm_last ? b.layer_norm(path + ".norm", reduced(x), kNormEps)
                           : reduced(b.layer_norm(path + ".norm", x, kNormEps));
}

}  // namespace

ir::ValueId build(ModuleBuilder& b, ir::ValueId x, const SwinConfig& config) {
  const Version& version = config.version_2 ? kVersion2 : kVersion1;
  x = b.conv("features.0.0", x,
             {.out_channels = config.stem_channels, .kernel = {4, 4}, .stride = {4, 4}});
  x = b.layer_norm("features.0.2", channels_last(b, "features.0.1", x), kNormEps);
  int index = 1;
  for (const std::int64_t blocks : config.blocks) {
    if (index > 1) x = patch_merging(b, "features." + std::to_string(index++), x, version);
    const std::string stage = "features." + std::to_string(index++) + ".";
    for (std::int64_t i = 0; i < blocks; ++i) {
      x = block(b, stage + std::to_string(i), x, i % 2 == 1, version);
    }
  }
  x = channels_first(b, "permute", b.layer_norm("norm", x, kNormEps));
  x = b.flatten("flatten", b.adaptive_avg_pool("avgpool", x, 1));
  return b.linear("head", x, kImageNetClasses);
}

}  // namespace quantc::frontend
