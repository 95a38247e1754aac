#include "frontend/pt2/tensor_source.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "frontend/checkpoint/storage_view.h"
#include "frontend/checkpoint/torch_file.h"
#include "frontend/pt2/python_json.h"
#include "frontend/pt2/tensor_meta.h"

namespace quantc::frontend {
namespace {

// As torch_file.cc allows for files of torch.save: a dense copy of each stored byte, and small
// expanded tensors.
constexpr std::size_t kCopiesPerByte = 2;
constexpr std::size_t kExpandedBytes = std::size_t{16} << 20;

constexpr std::size_t kMaxDepth = 16;  ///< Of lists and dicts in sample inputs.

[[noreturn]] void missing(const std::string& name) {
  throw InputError(fmt::format(
      "{}: the program needs this tensor, but the archive does not hold it; export the model again",
      name));
}

struct RawTensor {
  SharedBytes storage;
  PickleTensor view;
};

using RawTensors = std::map<std::string, RawTensor>;

// With sizes and strides of any kind: StorageViews checks them.
PickleTensor view_of(const TensorMeta& meta) {
  PickleTensor view;
  view.storage.dtype = dtype_of(meta.dtype);
  view.sizes = static_shape(meta);
  view.strides = meta.strides;
  view.offset = meta.storage_offset;
  return view;
}

RawTensor raw_tensor(const nlohmann::json& payload, const std::string& folder,
                     const std::map<std::string_view, SharedBytes>& storages) {
  const nlohmann::json* pickled = find_member(payload, "use_pickle");
  if (pickled != nullptr && as_flag(*pickled, "use_pickle")) {
    throw UnsupportedError("expected raw bytes, found a pickled tensor");
  }
  const std::string path = folder + text_member(payload, "path_name");
  const auto storage = storages.find(path);
  if (storage == storages.end()) throw InputError(fmt::format("the member {} is missing", path));
  return {storage->second, view_of(parse_tensor_meta(object_member(payload, "tensor_meta")))};
}

std::string_view text_of(const SharedBytes& data) {
  return {reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size()};
}

void collect_tensors(const TorchFile& file, const PickleValue& value, std::size_t depth,
                     std::vector<ir::Tensor>& tensors) {
  if (depth > kMaxDepth) throw InputError("expected tensors, found lists nested too deeply");
  if (const PickleTensor* view = value.tensor()) tensors.push_back(file.tensor(*view));
  if (const PickleList* list = value.list()) {
    for (const PickleValue& item : *list) collect_tensors(file, item, depth + 1, tensors);
  }
  if (const PickleDict* dict = value.dict()) {
    for (const auto& [key, item] : *dict) collect_tensors(file, item, depth + 1, tensors);
  }
}

}  // namespace

TensorSource no_tensors() {
  return [](const std::string& name) -> ir::Tensor { missing(name); };
}

TensorSource torch_tensors(const SharedBytes& member) {
  if (member.bytes.empty()) return no_tensors();
  const auto file = std::make_shared<const TorchFile>(read_torch_zip(member));
  const PickleDict* dict = file->pickle.root.dict();
  if (dict == nullptr) throw InputError("expected a dict of tensors, found another object");
  std::map<std::string, const PickleTensor*> views;
  for (const auto& [key, value] : *dict) {
    const auto* name = key.as<std::string_view>();
    if (name != nullptr && value.tensor() != nullptr) views.emplace(*name, value.tensor());
  }
  return [file, views = std::move(views)](const std::string& name) {
    const auto view = views.find(name);
    if (view == views.end()) missing(name);
    return with_context(name, [&] { return file->tensor(*view->second); });
  };
}

TensorSource raw_tensors(const SharedBytes& config, const std::string& folder,
                         const std::vector<ZipMember>& members) {
  std::map<std::string_view, SharedBytes> storages;
  std::size_t bytes = 0;
  for (const ZipMember& member : members) {
    if (!member.name.starts_with(folder)) continue;
    storages.emplace(member.name, member.data);
    bytes += member.data.bytes.size();
  }
  const nlohmann::json json = parse_python_json(text_of(config));
  RawTensors tensors;
  for (const auto& [name, payload] : object_member(json, "config").items()) {
    tensors.emplace(name, with_context(name, [&, &payload = payload] {
                      return raw_tensor(payload, folder, storages);
                    }));
  }
  const auto views = std::make_shared<StorageViews>(kCopiesPerByte * bytes + kExpandedBytes);
  return [views, tensors = std::move(tensors)](const std::string& name) {
    const auto raw = tensors.find(name);
    if (raw == tensors.end()) missing(name);
    return with_context(name, [&] { return views->tensor(raw->second.view, raw->second.storage); });
  };
}

std::vector<ir::Tensor> torch_tensor_list(const SharedBytes& member) {
  std::vector<ir::Tensor> tensors;
  if (member.bytes.empty()) return tensors;
  const TorchFile file = read_torch_zip(member);
  collect_tensors(file, file.pickle.root, 0, tensors);
  return tensors;
}

}  // namespace quantc::frontend
