#include "frontend/zoo/checkpoint_rules.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <span>
#include <string_view>

#include "base/error.h"

namespace quantc::frontend {
namespace {

struct Rename {
  std::string_view old_part;  // Anywhere in a key.
  std::string_view new_part;
};

// Modules that were called norm.1 when PyTorch still took a dot in a name.
constexpr auto kDenseNetRenames = std::to_array<Rename>({{".norm.1.", ".norm1."},
                                                         {".conv.1.", ".conv1."},
                                                         {".norm.2.", ".norm2."},
                                                         {".conv.2.", ".conv2."}});

// Keys of MLPBlock before its version 2.
constexpr auto kVitRenames =
    std::to_array<Rename>({{".mlp.linear_1.", ".mlp.0."}, {".mlp.linear_2.", ".mlp.3."}});

// Auxiliary classifiers, which help in training alone.
constexpr auto kGoogLeNetAux = std::to_array<std::string_view>({"aux1.", "aux2."});
constexpr auto kInceptionAux = std::to_array<std::string_view>({"AuxLogits."});

struct KeyRules {
  std::span<const Rename> renames;
  std::span<const std::string_view> unused_prefixes;
};

constexpr auto kKeyRules = ir::Overloaded{
    [](const DenseNetConfig&) { return KeyRules{.renames = kDenseNetRenames}; },
    [](const VitConfig&) { return KeyRules{.renames = kVitRenames}; },
    [](const GoogLeNetConfig&) { return KeyRules{.unused_prefixes = kGoogLeNetAux}; },
    [](const InceptionV3Config&) { return KeyRules{.unused_prefixes = kInceptionAux}; },
    [](const auto&) { return KeyRules{}; },
};

void note(FittedCheckpoint& checkpoint, std::string rule, std::size_t tensors) {
  if (tensors > 0) checkpoint.rules.push_back({std::move(rule), tensors});
}

void rename(FittedCheckpoint& checkpoint, const Rename& rule) {
  std::set<std::string, std::less<>> keys;
  for (const auto& [key, tensor] : checkpoint.state_dict.tensors) keys.insert(key);
  std::size_t renamed = 0;
  for (auto& [key, tensor] : checkpoint.state_dict.tensors) {
    const std::size_t at = key.find(rule.old_part);
    if (at == std::string::npos) continue;
    const std::string old_key = key;
    key.replace(at, rule.old_part.size(), rule.new_part);
    if (!keys.insert(key).second) {
      throw InputError(fmt::format(
          "{} and {}: expected one of these names for the same tensor, found both", old_key, key));
    }
    ++renamed;
  }
  note(checkpoint, fmt::format("renamed {} to {}", rule.old_part, rule.new_part), renamed);
}

void drop(FittedCheckpoint& checkpoint, std::string_view prefix) {
  const std::size_t dropped = std::erase_if(checkpoint.state_dict.tensors, [&](const auto& entry) {
    return entry.first.starts_with(prefix);
  });
  note(checkpoint, fmt::format("ignored {}*, which only training uses", prefix), dropped);
}

// The network's own version. DataParallel wraps it as `module`.
std::optional<std::int64_t> version_of(const StateDict& state_dict) {
  for (const char* prefix : {"module", ""}) {
    const auto version = state_dict.versions.find(prefix);
    if (version != state_dict.versions.end()) return version->second;
  }
  return {};
}

// Version 1 did not scale the stem with the network's width; the rest is as in version 2. A file
// without versions, such as one of safetensors, counts as 2.
void choose_stem(FittedCheckpoint& checkpoint) {
  auto* config = std::get_if<MnasNetConfig>(&checkpoint.model.config);
  if (config == nullptr) return;
  const std::int64_t version = version_of(checkpoint.state_dict).value_or(2);
  if (version != 1 && version != 2) {
    throw InputError(
        fmt::format("metadata: expected version 1 or 2 of MnasNet, found {}", version));
  }
  if (version == 2 || config->width == 1.0) return;
  config->fixed_stem = true;
  checkpoint.rules.push_back({"took the stem of MnasNet's version 1", 0});
}

}  // namespace

FittedCheckpoint fit_checkpoint(const ModelInfo& model, StateDict state_dict) {
  FittedCheckpoint checkpoint{model, std::move(state_dict), {}};
  with_context(checkpoint.state_dict.path, [&] {
    const KeyRules rules = std::visit(kKeyRules, model.config);
    for (const Rename& rule : rules.renames) rename(checkpoint, rule);
    for (const std::string_view prefix : rules.unused_prefixes) drop(checkpoint, prefix);
    choose_stem(checkpoint);
  });
  return checkpoint;
}

}  // namespace quantc::frontend
