#include "frontend/checkpoint/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/files.h"

namespace quantc::frontend {
namespace {

// The limit of the format's own reader.
constexpr std::uint64_t kMaxHeader = 100'000'000;

struct DTypeRow {
  std::string_view name;
  ir::DType dtype;
};

constexpr std::array<DTypeRow, 10> kDTypes = {{
    {"BOOL", ir::DType::kBool},
    {"U8", ir::DType::kUInt8},
    {"I8", ir::DType::kInt8},
    {"I16", ir::DType::kInt16},
    {"I32", ir::DType::kInt32},
    {"I64", ir::DType::kInt64},
    {"F16", ir::DType::kFloat16},
    {"BF16", ir::DType::kBFloat16},
    {"F32", ir::DType::kFloat32},
    {"F64", ir::DType::kFloat64},
}};

ir::DType dtype_named(const std::string& name) {
  for (const DTypeRow& row : kDTypes) {
    if (row.name == name) return row.dtype;
  }
  throw UnsupportedError(fmt::format("element type {}", name));
}

std::string_view header_name(ir::DType dtype) {
  return std::ranges::find(kDTypes, dtype, &DTypeRow::dtype)->name;
}

// Refuses a key that comes twice, which nlohmann would let the last one win.
nlohmann::json parse_header(std::string_view text) {
  using Json = nlohmann::json;
  std::unordered_set<std::string> keys;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) {
      const auto [key, is_new] = keys.insert(parsed.get<std::string>());
      if (!is_new) throw InputError(fmt::format("two tensors are named {}", *key));
    }
    return true;
  };
  Json header = Json::parse(text, check, /*allow_exceptions=*/false);
  if (!header.is_object()) throw InputError("damaged safetensors: its header is not a JSON object");
  return header;
}

std::string_view header_text(ByteReader& reader) {
  const auto size = reader.read<std::uint64_t>();
  if (size > kMaxHeader) {
    throw InputError(
        fmt::format("expected a checkpoint of torch.save or a .safetensors file, found another "
                    "format, or a header of {} bytes, more than {}",
                    size, kMaxHeader));
  }
  return reader.text(size);
}

// A tensor as the header declares it; its data stands at [begin, end).
struct Entry {
  std::string name;
  ir::TensorType type;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::int64_t checked_elements(const ir::Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count))
      throw InputError("a size overflows");
  }
  return count;
}

std::int64_t natural(const nlohmann::json& value) {
  if (!value.is_number_unsigned() || value.get<std::int64_t>() < 0) {
    throw InputError(fmt::format("expected a natural number, found {}", value.dump()));
  }
  return value.get<std::int64_t>();
}

Entry parse_entry(const std::string& name, const nlohmann::json& fields) {
  try {
    const nlohmann::json& offsets = fields.at("data_offsets");
    Entry entry{name, {dtype_named(fields.at("dtype").get<std::string>()), {}}};
    entry.begin = static_cast<std::uint64_t>(natural(offsets.at(0)));
    entry.end = static_cast<std::uint64_t>(natural(offsets.at(1)));
    for (const nlohmann::json& size :
         fields.at("shape").get_ref<const nlohmann::json::array_t&>()) {
      entry.type.shape.push_back(natural(size));
    }
    return entry;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("damaged header entry: {}", error.what()));
  }
}

void require_fitting(const Entry& entry, std::uint64_t available) {
  const auto elements = static_cast<std::uint64_t>(checked_elements(entry.type.shape));
  if (entry.begin > entry.end || entry.end > available) {
    throw InputError(fmt::format("expected data within {} bytes, found {} to {}", available,
                                 entry.begin, entry.end));
  }
  const std::uint64_t bytes = entry.end - entry.begin;
  const std::size_t size = ir::size_of(entry.type.dtype);
  if (bytes / size != elements || bytes % size != 0) {
    throw InputError(fmt::format("expected {} elements of {}, found {} bytes", elements,
                                 header_name(entry.type.dtype), bytes));
  }
}

std::vector<Entry> read_entries(const nlohmann::json& header, std::uint64_t available) {
  std::vector<Entry> entries;
  for (const auto& [key, fields] : header.items()) {
    if (key == "__metadata__") continue;
    with_context("tensor " + key, [&, &name = key, &json = fields] {
      entries.push_back(parse_entry(name, json));
      require_fitting(entries.back(), available);
    });
  }
  return entries;
}

void sort_disjoint(std::vector<Entry>& entries) {
  std::ranges::sort(
      entries, {}, [](const Entry& entry) { return std::tie(entry.begin, entry.end, entry.name); });
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].begin >= entries[i - 1].end) continue;
    throw InputError(
        fmt::format("tensors {} and {} overlap", entries[i - 1].name, entries[i].name));
  }
}

ir::Tensor tensor_of(const Entry& entry, const SharedBytes& data) {
  SharedBytes part = data.part(entry.begin, entry.end - entry.begin);
  const std::size_t alignment = ir::size_of(entry.type.dtype);
  if (reinterpret_cast<std::uintptr_t>(part.bytes.data()) % alignment != 0) {
    part = own_bytes({part.bytes.begin(), part.bytes.end()});
  }
  return {entry.type, part};
}

}  // namespace

NamedTensors read_safetensors(const SharedBytes& file) {
  ByteReader reader(file.bytes);
  const nlohmann::json header = parse_header(header_text(reader));
  const SharedBytes data = file.part(reader.position(), reader.remaining());
  std::vector<Entry> entries = read_entries(header, data.bytes.size());
  sort_disjoint(entries);
  NamedTensors tensors;
  for (const Entry& entry : entries) tensors.emplace_back(entry.name, tensor_of(entry, data));
  return tensors;
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t end = offset + tensor.bytes().size();
    header[name] = {{"dtype", header_name(tensor.dtype())},
                    {"shape", tensor.shape()},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t size = text.size();
  std::vector<std::span<const std::byte>> parts = {std::as_bytes(std::span(&size, 1)),
                                                   std::as_bytes(std::span(text))};
  for (const auto& [name, tensor] : tensors) parts.push_back(tensor.bytes());
  write_file(path, parts);
}

}  // namespace quantc::frontend
