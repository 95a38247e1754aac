#include "frontend/checkpoint/state_dict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "frontend/checkpoint/float32.h"
#include "frontend/checkpoint/torch_file.h"
#include "frontend/checkpoint/zip_reader.h"

namespace quantc::frontend {
namespace {

constexpr std::string_view kModulePrefix = "module.";

bool looks_like_pickle(const SharedBytes& file) {
  return !file.bytes.empty() && file.bytes[0] == std::byte{0x80};
}

// Keys under which training scripts keep the weights; the first one found counts.
constexpr std::array<std::string_view, 3> kWrappers = {"state_dict", "model_state_dict", "model"};

// The metadata of a module: a version and little else.
constexpr std::size_t kMaxModuleMetadata = 64;

const PickleDict& unwrapped(const PickleDict& dict) {
  for (const std::string_view key : kWrappers) {
    const PickleValue* inner = find(dict, key);
    if (inner != nullptr && inner->dict() != nullptr) return *inner->dict();
  }
  return dict;
}

const PickleDict* metadata_of(const Pickle& pickle, const PickleDict& dict) {
  const auto state = pickle.attributes.find(&dict);
  if (state == pickle.attributes.end() || state->second.dict() == nullptr) return nullptr;
  const PickleValue* metadata = find(*state->second.dict(), "_metadata");
  return metadata != nullptr ? metadata->dict() : nullptr;
}

std::map<std::string, std::int64_t> versions_of(const Pickle& pickle, const PickleDict& dict) {
  std::map<std::string, std::int64_t> versions;
  const PickleDict* metadata = metadata_of(pickle, dict);
  if (metadata == nullptr) return versions;
  for (const auto& [prefix, entry] : *metadata) {
    const auto* name = prefix.as<std::string_view>();
    if (name == nullptr || entry.dict() == nullptr) continue;
    if (entry.dict()->size() > kMaxModuleMetadata) {
      throw InputError(fmt::format("damaged metadata of module '{}': expected at most {} items",
                                   *name, kMaxModuleMetadata));
    }
    const PickleValue* version = find(*entry.dict(), "version");
    if (version == nullptr || version->as<std::int64_t>() == nullptr) continue;
    if (!versions.emplace(*name, *version->as<std::int64_t>()).second) {
      throw InputError(fmt::format("damaged metadata: two modules are named '{}'", *name));
    }
  }
  return versions;
}

std::string listed_keys(const PickleDict& dict) {
  constexpr std::size_t kMaxListed = 10;
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : dict) {
    if (keys.size() == kMaxListed) {
      keys.emplace_back("...");
      break;
    }
    const auto* name = key.as<std::string_view>();
    keys.push_back(name != nullptr ? *name : "(no text)");
  }
  return keys.empty() ? "an empty dict" : fmt::format("the keys {}", fmt::join(keys, ", "));
}

[[noreturn]] void complain_of_no_tensors(const PickleDict& root) {
  throw InputError(fmt::format(
      "expected tensors at the top or under {}, found none there but {}; save the dict of tensors "
      "alone",
      fmt::join(kWrappers, ", "), listed_keys(root)));
}

// Values that are no tensors (an epoch, an accuracy) are skipped, as torch users expect.
StateDict from_torch(const TorchFile& file) {
  const PickleDict* root = file.pickle.root.dict();
  if (root == nullptr) {
    throw InputError(fmt::format("expected a dict of tensors, found {}; save model.state_dict()",
                                 file.pickle.root.list() != nullptr ? "a list" : "another object"));
  }
  const PickleDict& dict = unwrapped(*root);
  StateDict state_dict;
  state_dict.versions = versions_of(file.pickle, dict);
  std::unordered_set<std::string_view> names;
  for (const auto& [key, value] : dict) {
    const auto* name = key.as<std::string_view>();
    const PickleTensor* view = value.tensor();
    if (name == nullptr || view == nullptr) continue;
    if (!names.insert(*name).second) {
      throw InputError(fmt::format("two tensors are named {}", *name));
    }
    state_dict.tensors.emplace_back(*name, with_context(*name, [&] { return file.tensor(*view); }));
  }
  if (state_dict.tensors.empty()) complain_of_no_tensors(*root);
  return state_dict;
}

StateDict read_any(const SharedBytes& file) {
  if (looks_like_zip(file.bytes)) return from_torch(read_torch_zip(file));
  if (looks_like_pickle(file)) return from_torch(read_torch_stream(file));
  return {"", read_safetensors(file), {}};
}

void drop_module_prefix(NamedTensors& tensors) {
  const auto has_prefix = [](const auto& entry) { return entry.first.starts_with(kModulePrefix); };
  if (!std::all_of(tensors.begin(), tensors.end(), has_prefix)) return;
  for (auto& [key, tensor] : tensors) key.erase(0, kModulePrefix.size());
}

std::string index_text(std::int64_t flat, const ir::Shape& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; flat /= shape[i]) index[i] = flat % shape[i];
  return ir::to_string(index);
}

void require_finite(const std::string& key, const ir::Tensor& tensor) {
  const auto values = tensor.values<float>();
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  throw InputError(fmt::format("{}{} is {}; expected finite weights", key,
                               index_text(bad - values.begin(), tensor.shape()), *bad));
}

// Collects every difference before it complains.
class Binder {
 public:
  explicit Binder(const StateDict& state_dict) {
    for (const auto& [key, tensor] : state_dict.tensors) found_[key] = &tensor;
  }

  std::map<std::string, ir::Tensor> bind(const std::vector<ExpectedTensor>& expected) {
    std::map<std::string, ir::Tensor> bound;
    for (const ExpectedTensor& wanted : expected) {
      const auto match = found_.find(wanted.key);
      if (match == found_.end()) {
        problems_.push_back(fmt::format("missing {} {}", wanted.key, ir::to_string(wanted.shape)));
        continue;
      }
      if (match->second->shape() != wanted.shape) {
        problems_.push_back(fmt::format("{}: expected shape {}, found {}", wanted.key,
                                        ir::to_string(wanted.shape),
                                        ir::to_string(match->second->shape())));
      } else {
        bound[wanted.key] = *match->second;
      }
      found_.erase(match);
    }
    complain();
    for (auto& [key, tensor] : bound) {
      tensor = with_context(key, [&, &stored = tensor] { return as_float32(stored); });
      require_finite(key, tensor);
    }
    return bound;
  }

 private:
  void complain() {
    for (const auto& [key, tensor] : found_) {
      if (key.ends_with("num_batches_tracked")) continue;
      problems_.push_back(fmt::format("unexpected {} {}", key, ir::to_string(tensor->shape())));
    }
    if (problems_.empty()) return;
    throw InputError(fmt::format("the file does not fit this model ({} differences): {}",
                                 problems_.size(), fmt::join(problems_, "; ")));
  }

  std::map<std::string, const ir::Tensor*> found_;
  std::vector<std::string> problems_;
};

}  // namespace

StateDict read_checkpoint(const SharedBytes& file) {
  if (file.bytes.empty()) throw InputError("expected a checkpoint, found an empty file");
  StateDict state_dict = read_any(file);
  if (state_dict.tensors.empty()) throw InputError("expected tensors, found none");
  drop_module_prefix(state_dict.tensors);
  return state_dict;
}

StateDict load_checkpoint(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  StateDict state_dict = with_context(path.string(), [&] {
    StateDict read = read_checkpoint(file);
    if (looks_like_zip(file.bytes)) require_intact_zip(file);
    return read;
  });
  state_dict.path = path.string();
  return state_dict;
}

std::map<std::string, ir::Tensor> bind_tensors(const StateDict& state_dict,
                                               const std::vector<ExpectedTensor>& expected) {
  return with_context(state_dict.path, [&] { return Binder(state_dict).bind(expected); });
}

}  // namespace quantc::frontend
