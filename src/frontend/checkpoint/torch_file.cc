#include "frontend/checkpoint/torch_file.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/error.h"
#include "frontend/checkpoint/storage_view.h"
#include "frontend/checkpoint/zip_reader.h"

namespace quantc::frontend {
namespace {

using Storages = std::map<std::string, SharedBytes, std::less<>>;

// LONG1 of 10 bytes: 0x1950a86a20f9469cfc6c, little endian.
constexpr std::string_view kStreamMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
constexpr std::int64_t kStreamProtocol = 1001;

// Of a file whose weights are transposed, one copy each is needed; the rest is for shared weights
// and small expanded ones.
constexpr std::size_t kCopiesPerFile = 2;
constexpr std::size_t kExpandedBytes = std::size_t{16} << 20;

TorchFile with_storages(const SharedBytes& file, Pickle pickle, Storages storages) {
  StorageViews views(kCopiesPerFile * file.bytes.size() + kExpandedBytes);
  return {std::move(pickle),
          [storages = std::move(storages), views](const PickleTensor& view) mutable {
            const auto storage = storages.find(view.storage.key);
            if (storage == storages.end()) {
              throw InputError(fmt::format("storage {} is missing", view.storage.key));
            }
            return views.tensor(view, storage->second);
          }};
}

std::string_view text_of(const SharedBytes& data) {
  return {reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size()};
}

// Everything in the archive stands below one folder; its name is what precedes "data.pkl".
std::string root_of(const std::vector<ZipMember>& members) {
  constexpr std::string_view kPickle = "data.pkl";
  bool is_script = false;
  for (const ZipMember& member : members) {
    if (member.name.ends_with("/constants.pkl")) is_script = true;
  }
  if (is_script) {
    throw UnsupportedError(
        "a TorchScript archive; save model.state_dict() with torch.save instead");
  }
  for (const ZipMember& member : members) {
    if (member.name == kPickle) return "";
    if (member.name.ends_with("/" + std::string(kPickle))) {
      return member.name.substr(0, member.name.size() - kPickle.size());
    }
  }
  throw InputError("expected an archive of torch.save with a data.pkl, found another zip");
}

std::int64_t read_int(ByteReader& reader, std::string_view what) {
  const Pickle pickle = read_pickle(reader);
  const auto* number = pickle.root.as<std::int64_t>();
  if (number == nullptr) throw InputError(fmt::format("damaged stream: expected {}", what));
  return *number;
}

void require_little_endian(const PickleDict* sys_info) {
  const PickleValue* flag = sys_info != nullptr ? find(*sys_info, "little_endian") : nullptr;
  if (flag == nullptr || flag->as<bool>() == nullptr) {
    throw InputError("damaged stream: no system information");
  }
  if (!*flag->as<bool>()) throw UnsupportedError("a file of a big-endian machine");
}

// The payloads that follow the pickles, in the order of `keys`: a count of elements, then these.
// Their type stands only where the object names the storage.
Storages read_payloads(const SharedBytes& file, ByteReader& reader, const PickleList& keys,
                       const Pickle& pickle) {
  std::map<std::string_view, ir::DType> dtypes;
  for (const PickleStorage& storage : pickle.storages) dtypes[storage.key] = storage.dtype;
  Storages storages;
  for (const PickleValue& item : keys) {
    const auto* key = item.as<std::string_view>();
    if (key == nullptr) throw InputError("damaged stream: a storage without a key");
    const auto elements = reader.read<std::uint64_t>();
    const auto dtype = dtypes.find(*key);
    if (dtype == dtypes.end()) {
      throw InputError(fmt::format("damaged stream: nothing names storage {}", *key));
    }
    const std::size_t size = ir::size_of(dtype->second);
    if (elements > reader.remaining() / size) {
      throw InputError(fmt::format("truncated: storage {} declares {} elements, found {} bytes",
                                   *key, elements, reader.remaining()));
    }
    const std::size_t begin = reader.position();
    reader.skip(elements * size);
    const SharedBytes payload = file.part(begin, reader.position() - begin);
    if (!storages.emplace(*key, payload).second) {
      throw InputError(fmt::format("damaged stream: two storages are named {}", *key));
    }
  }
  return storages;
}

}  // namespace

TorchFile read_torch_zip(const SharedBytes& file) {
  const std::vector<ZipMember> members = read_zip(file);
  const std::string root = root_of(members);
  const std::string storage_folder = root + "data/";
  Storages storages;
  SharedBytes pickle_bytes;
  for (const ZipMember& member : members) {
    if (member.name == root + "data.pkl") pickle_bytes = member.data;
    if (member.name == root + "byteorder" && text_of(member.data) != "little") {
      throw UnsupportedError("a file of a big-endian machine");
    }
    if (member.name.starts_with(storage_folder)) {
      storages[member.name.substr(storage_folder.size())] = member.data;
    }
  }
  ByteReader reader(pickle_bytes.bytes);
  Pickle pickle = with_context("data.pkl", [&] { return read_pickle(reader); });
  return with_storages(file, std::move(pickle), std::move(storages));
}

TorchFile read_torch_stream(const SharedBytes& file) {
  ByteReader reader(file.bytes);
  const Pickle magic = read_pickle(reader);
  const auto* number = magic.root.as<std::string_view>();
  if (number == nullptr || *number != kStreamMagic) {
    throw InputError(
        "expected a checkpoint of torch.save or a .safetensors file, found a bare pickle");
  }
  if (read_int(reader, "a protocol") != kStreamProtocol) {
    throw UnsupportedError("expected stream protocol 1001, found another");
  }
  require_little_endian(read_pickle(reader).root.dict());
  Pickle pickle = read_pickle(reader);
  const Pickle keys = read_pickle(reader);
  if (keys.root.list() == nullptr) throw InputError("damaged stream: no list of storages");
  Storages storages = read_payloads(file, reader, *keys.root.list(), pickle);
  return with_storages(file, std::move(pickle), std::move(storages));
}

}  // namespace quantc::frontend
