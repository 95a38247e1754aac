#include "frontend/checkpoint/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/files.h"

namespace quantc::frontend {
namespace {

using Json = nlohmann::ordered_json;

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
  const auto row = std::find_if(kDTypes.begin(), kDTypes.end(),
                                [&](const DTypeRow& entry) { return entry.dtype == dtype; });
  return row->name;
}

// Refuses a key that comes twice, which nlohmann would let the last one win.
Json parse_header(std::string_view text) {
  std::vector<std::string> keys;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
        throw InputError(fmt::format("two tensors are named {}", key));
      }
      keys.push_back(key);
    }
    return true;
  };
  Json header = Json::parse(text, check, /*allow_exceptions=*/false);
  if (!header.is_object()) throw InputError("damaged safetensors: its header is not a JSON object");
  return header;
}

struct Span {
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

std::pair<ir::TensorType, Span> parse_entry(const Json& entry) {
  try {
    const auto offsets = entry.at("data_offsets").get<std::array<std::uint64_t, 2>>();
    return {{dtype_named(entry.at("dtype").get<std::string>()), entry.at("shape").get<ir::Shape>()},
            {offsets[0], offsets[1]}};
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("damaged header entry: {}", error.what()));
  }
}

ir::Tensor take_tensor(const ir::TensorType& type, const Span& span, const SharedBytes& data) {
  const auto elements = static_cast<std::uint64_t>(checked_elements(type.shape));
  if (span.begin > span.end || span.end > data.bytes.size()) {
    throw InputError(fmt::format("expected data within {} bytes, found {} to {}", data.bytes.size(),
                                 span.begin, span.end));
  }
  const std::uint64_t bytes = span.end - span.begin;
  if (bytes / ir::size_of(type.dtype) != elements || bytes % ir::size_of(type.dtype) != 0) {
    throw InputError(fmt::format("expected {} elements of {}, found {} bytes", elements,
                                 header_name(type.dtype), bytes));
  }
  SharedBytes part = data.part(span.begin, bytes);
  if (reinterpret_cast<std::uintptr_t>(part.bytes.data()) % ir::size_of(type.dtype) != 0) {
    part = own_bytes({part.bytes.begin(), part.bytes.end()});
  }
  return {type, part};
}

void require_disjoint(std::vector<std::pair<Span, std::string>> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].first.begin >= spans[i - 1].first.end) continue;
    throw InputError(
        fmt::format("tensors {} and {} overlap", spans[i - 1].second, spans[i].second));
  }
}

}  // namespace

NamedTensors read_safetensors(const SharedBytes& file) {
  ByteReader reader(file.bytes);
  const Json header = parse_header(reader.text(reader.read<std::uint64_t>()));
  const SharedBytes data = file.part(reader.position(), reader.remaining());
  NamedTensors tensors;
  std::vector<std::pair<Span, std::string>> spans;
  for (const auto& [key, entry] : header.items()) {
    if (key == "__metadata__") continue;
    with_context("tensor " + key, [&, &name = key, &fields = entry] {
      const auto [type, span] = parse_entry(fields);
      tensors.emplace_back(name, take_tensor(type, span, data));
      if (span.begin != span.end) spans.emplace_back(span, name);
    });
  }
  require_disjoint(std::move(spans));
  return tensors;
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
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
