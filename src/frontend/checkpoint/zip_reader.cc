#include "frontend/checkpoint/zip_reader.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/byte_reader.h"
#include "base/error.h"

namespace quantc::frontend {
namespace {

// Signatures and layouts: PKWARE APPNOTE 6.3.
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;
constexpr std::uint32_t kZip64End = 0x06064b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kMaxComment = 65535;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint32_t kInZip64 = 0xffffffff;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kDescriptorFollows = 8;

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t offset = 0;
};

struct Entry {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t header_offset = 0;
  std::uint32_t checksum = 0;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
};

std::optional<std::size_t> find_end(std::span<const std::byte> bytes) {
  if (bytes.size() < kEndSize) return std::nullopt;
  const std::size_t last = bytes.size() - kEndSize;
  const std::size_t first = last - std::min(last, kMaxComment);
  for (std::size_t at = last + 1; at-- > first;) {
    if (ByteReader(bytes, at).read<std::uint32_t>() == kEndOfDirectory) return at;
  }
  return std::nullopt;
}

std::optional<Directory> zip64_directory(std::span<const std::byte> bytes, std::size_t end) {
  if (end < kLocatorSize) return std::nullopt;
  ByteReader locator(bytes, end - kLocatorSize);
  if (locator.read<std::uint32_t>() != kZip64Locator) return std::nullopt;
  locator.skip(4);
  const auto at = locator.read<std::uint64_t>();
  if (at > bytes.size()) throw InputError("damaged zip: the ZIP64 directory lies outside the file");
  ByteReader record(bytes, static_cast<std::size_t>(at));
  if (record.read<std::uint32_t>() != kZip64End) {
    throw InputError("damaged zip: no ZIP64 directory where its locator points");
  }
  record.skip(8 + 2 + 2 + 4 + 4 + 8);
  Directory directory;
  directory.entries = record.read<std::uint64_t>();
  record.skip(8);
  directory.offset = record.read<std::uint64_t>();
  return directory;
}

Directory find_directory(std::span<const std::byte> bytes) {
  const std::optional<std::size_t> end = find_end(bytes);
  if (!end) throw InputError("truncated or damaged zip: no central directory at its end");
  if (const auto directory = zip64_directory(bytes, *end)) return *directory;
  ByteReader record(bytes, *end + 10);
  Directory directory;
  directory.entries = record.read<std::uint16_t>();
  record.skip(4);
  directory.offset = record.read<std::uint32_t>();
  return directory;
}

// Sizes too large for 32 bits stand in the ZIP64 extra field, in this order.
void read_zip64_extra(std::span<const std::byte> extra, Entry& entry) {
  ByteReader fields(extra);
  while (fields.remaining() >= 4) {
    const auto id = fields.read<std::uint16_t>();
    ByteReader field(fields.take(fields.read<std::uint16_t>()));
    if (id != kZip64Extra) continue;
    for (std::uint64_t* value : {&entry.size, &entry.packed_size, &entry.header_offset}) {
      if (*value == kInZip64) *value = field.read<std::uint64_t>();
    }
  }
}

Entry read_entry(ByteReader& reader) {
  if (reader.read<std::uint32_t>() != kDirectoryEntry) {
    throw InputError("damaged zip: the central directory is corrupt");
  }
  Entry entry;
  reader.skip(4);
  entry.flags = reader.read<std::uint16_t>();
  entry.method = reader.read<std::uint16_t>();
  reader.skip(4);
  entry.checksum = reader.read<std::uint32_t>();
  entry.packed_size = reader.read<std::uint32_t>();
  entry.size = reader.read<std::uint32_t>();
  const auto name_size = reader.read<std::uint16_t>();
  const auto extra_size = reader.read<std::uint16_t>();
  const auto comment_size = reader.read<std::uint16_t>();
  reader.skip(8);
  entry.header_offset = reader.read<std::uint32_t>();
  entry.name = reader.text(name_size);
  read_zip64_extra(reader.take(extra_size), entry);
  reader.skip(comment_size);
  return entry;
}

bool climbs_out(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos) return true;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t slash = std::min(name.find('/', at), name.size());
    if (name.substr(at, slash - at) == "..") return true;
    at = slash + 1;
  }
  return false;
}

void require_plain(const Entry& entry) {
  if (climbs_out(entry.name)) {
    throw InputError(fmt::format("unsafe zip: member name '{}' leaves the archive", entry.name));
  }
  if ((entry.flags & kEncrypted) != 0) {
    throw UnsupportedError(fmt::format("zip member {} is encrypted", entry.name));
  }
  if (entry.method != 0 || entry.size != entry.packed_size) {
    throw UnsupportedError(fmt::format(
        "zip member {} is compressed; expected stored members, as torch.save writes them",
        entry.name));
  }
}

// The size in a local header is 0 where a descriptor follows the data, and a mark in ZIP64.
bool agrees(std::uint32_t local_size, std::uint16_t flags, const Entry& entry) {
  return (flags & kDescriptorFollows) != 0 || local_size == kInZip64 || local_size == entry.size;
}

ZipMember locate(const SharedBytes& file, const Entry& entry) {
  return with_context("zip member " + entry.name, [&]() -> ZipMember {
    if (entry.header_offset > file.bytes.size())
      throw InputError("its header lies outside the file");
    ByteReader header(file.bytes, static_cast<std::size_t>(entry.header_offset));
    if (header.read<std::uint32_t>() != kLocalHeader) throw InputError("damaged zip: no header");
    header.skip(2);
    const auto flags = header.read<std::uint16_t>();
    header.skip(10);
    const auto packed_size = header.read<std::uint32_t>();
    const auto size = header.read<std::uint32_t>();
    const auto name_size = header.read<std::uint16_t>();
    const auto extra_size = header.read<std::uint16_t>();
    if (header.text(name_size) != entry.name || !agrees(size, flags, entry) ||
        !agrees(packed_size, flags, entry)) {
      throw InputError("damaged zip: its header and the directory name different members or sizes");
    }
    header.skip(extra_size);
    return {entry.name, {file.owner, header.take(entry.size)}, entry.checksum};
  });
}

}  // namespace

bool looks_like_zip(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && ByteReader(bytes).read<std::uint32_t>() == kLocalHeader;
}

std::vector<ZipMember> read_zip(const SharedBytes& file) {
  const Directory directory = find_directory(file.bytes);
  if (directory.offset > file.bytes.size()) {
    throw InputError("damaged zip: the central directory lies outside the file");
  }
  ByteReader reader(file.bytes, static_cast<std::size_t>(directory.offset));
  std::vector<ZipMember> members;
  std::unordered_set<std::string> names;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    const Entry entry = read_entry(reader);
    require_plain(entry);
    if (!names.insert(entry.name).second) {
      throw InputError(fmt::format("unsafe zip: two members are named {}", entry.name));
    }
    members.push_back(locate(file, entry));
  }
  return members;
}

void require_intact_zip(const SharedBytes& file) {
  for (const ZipMember& member : read_zip(file)) {
    const std::span<const std::byte> bytes = member.data.bytes;
    const std::uint32_t found = libdeflate_crc32(0, bytes.data(), bytes.size());
    if (found == member.checksum) continue;
    throw InputError(fmt::format(
        "damaged zip: member {} has the checksum {:08x}, expected {:08x}; copy or save the file "
        "again",
        member.name, found, member.checksum));
  }
}

}  // namespace quantc::frontend
