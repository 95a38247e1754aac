#include "frontend/checkpoint/state_dict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "frontend/checkpoint/torch_file.h"
#include "frontend/checkpoint/zip_reader.h"

namespace quantc::frontend {
namespace {

constexpr std::string_view kModulePrefix = "module.";

bool looks_like_pickle(const SharedBytes& file) {
  return !file.bytes.empty() && file.bytes[0] == std::byte{0x80};
}

// Keys under which training scripts keep the weights.
constexpr std::array<std::string_view, 2> kWrappers = {"state_dict", "model_state_dict"};

const PickleDict& unwrapped(const PickleDict& dict) {
  for (const std::string_view key : kWrappers) {
    const PickleValue* inner = find(dict, key);
    if (inner != nullptr && inner->dict() != nullptr) return *inner->dict();
  }
  return dict;
}

std::map<std::string, std::int64_t> versions_of(const Pickle& pickle, const PickleDict& dict) {
  std::map<std::string, std::int64_t> versions;
  for (const auto& [owner, state] : pickle.attributes) {
    const PickleValue* metadata =
        owner == &dict && state.dict() != nullptr ? find(*state.dict(), "_metadata") : nullptr;
    if (metadata == nullptr || metadata->dict() == nullptr) continue;
    for (const auto& [prefix, entry] : *metadata->dict()) {
      const PickleValue* version =
          entry.dict() != nullptr ? find(*entry.dict(), "version") : nullptr;
      if (version == nullptr || version->as<std::int64_t>() == nullptr) continue;
      if (const auto* name = prefix.as<std::string>())
        versions[*name] = *version->as<std::int64_t>();
    }
  }
  return versions;
}

// Values that are no tensors (an epoch, an accuracy) are skipped, as torch users expect.
StateDict from_torch(const TorchFile& file) {
  const PickleDict* root = file.pickle.root.dict();
  if (root == nullptr) throw InputError("expected a dict of tensors, found another object");
  const PickleDict& dict = unwrapped(*root);
  StateDict state_dict;
  state_dict.versions = versions_of(file.pickle, dict);
  for (const auto& [key, value] : dict) {
    const auto* name = key.as<std::string>();
    const auto* tensor = value.as<PickleTensor>();
    if (name == nullptr || tensor == nullptr) continue;
    state_dict.tensors.emplace_back(*name,
                                    with_context(*name, [&] { return file.tensor(*tensor); }));
  }
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

// IEEE 754 binary16 to binary32; every value is exact.
float widened_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

float widened_bfloat16(std::uint16_t half) {
  return std::bit_cast<float>(std::uint32_t{half} << 16);
}

template <typename Stored, typename Convert>
ir::Tensor converted(const ir::Tensor& tensor, Convert convert) {
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
  const std::byte* from = tensor.bytes().data();
  for (float& value : values) {
    Stored stored;
    std::memcpy(&stored, from, sizeof(Stored));
    from += sizeof(Stored);
    value = convert(stored);
  }
  return ir::Tensor::of(tensor.shape(), values);
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

StateDict load_checkpoint(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return with_context(path.string(), [&] {
    if (file.bytes.empty()) throw InputError("expected a checkpoint, found an empty file");
    StateDict state_dict = read_any(file);
    if (state_dict.tensors.empty()) throw InputError("expected tensors, found none");
    drop_module_prefix(state_dict.tensors);
    state_dict.path = path.string();
    return state_dict;
  });
}

std::map<std::string, ir::Tensor> bind_tensors(const StateDict& state_dict,
                                               const std::vector<ExpectedTensor>& expected) {
  return with_context(state_dict.path, [&] { return Binder(state_dict).bind(expected); });
}

ir::Tensor as_float32(const ir::Tensor& tensor) {
  switch (tensor.dtype()) {
    case ir::DType::kFloat32:
      return tensor;
    case ir::DType::kFloat16:
      return converted<std::uint16_t>(tensor, widened_half);
    case ir::DType::kBFloat16:
      return converted<std::uint16_t>(tensor, widened_bfloat16);
    case ir::DType::kFloat64:
      return converted<double>(tensor, [](double value) { return static_cast<float>(value); });
    default:
      throw UnsupportedError(
          fmt::format("expected floating point weights, found {}", ir::name_of(tensor.dtype())));
  }
}

}  // namespace quantc::frontend
