// What vision transformers are made of: multi-head attention (Vaswani et al. 2017) and its
// companions, on tokens in groups that do not see each other.
#pragma once

#include <array>

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

/// x [N,C,H,W] to [N,H,W,C].
ir::ValueId channels_last(ModuleBuilder& b, const std::string& path, ir::ValueId x);

/// x [N,H,W,C] to [N,C,H,W].
ir::ValueId channels_first(ModuleBuilder& b, const std::string& path, ir::ValueId x);

/// A linear layer to four times as many features, GELU, and a linear layer back: the modules
/// `path`.i for these i.
ir::ValueId mlp(ModuleBuilder& b, const std::string& path, const std::array<int, 3>& indices,
                ir::ValueId x);

struct WeightAndBias {
  ir::ValueId weight;
  ir::ValueId bias;
};

/// `path`.weight and `path`.bias, for modules that compute in another order than that of the
/// state_dict. There is one bias for each row of the weight.
WeightAndBias weight_and_bias(ModuleBuilder& b, const std::string& path, const ir::Shape& weight,
                              ParameterRole role);

/// A linear layer whose output becomes, or comes from, queries, keys and values.
ir::ValueId attention_linear(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                             std::int64_t out_features);

/// Features of every head: query and value [groups,heads,tokens,size], key
/// [groups,heads,size,tokens].
struct Heads {
  ir::ValueId query, key, value;
};

/// From qkv [groups,tokens,3*heads*size], which holds all queries, then all keys, then all values.
Heads split_heads(ModuleBuilder& b, const std::string& path, ir::ValueId qkv, std::int64_t heads);

/// factor * query x key, [groups,heads,tokens,tokens].
ir::ValueId scaled_scores(ModuleBuilder& b, const std::string& path, const Heads& heads,
                          double factor);

/// softmax(scores) x value with the heads side by side, [groups,tokens,heads*size].
ir::ValueId attend(ModuleBuilder& b, const std::string& path, ir::ValueId scores,
                   ir::ValueId value);

/// x * factor.
ir::ValueId scaled(ModuleBuilder& b, const std::string& path, ir::ValueId x, double factor);

}  // namespace quantc::frontend
