// Archives and pickles put together by hand, for what no writer writes.
#pragma once

#include <libdeflate.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quantc::frontend {

/// Little endian.
template <typename T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

/// A stored member of a ZIP archive; what is not set is as it should be.
struct Member {
  std::string name;
  std::string data;
  std::optional<std::string> local_name = {};
  std::optional<std::uint32_t> local_size = {};
  std::optional<std::uint32_t> size = {};  ///< In the directory.
  std::optional<std::uint32_t> offset = {};
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::string extra = {};  ///< In the directory.
};

/// PKWARE APPNOTE 4.3; `records` stands between the directory and its end.
inline std::string zip_of(const std::vector<Member>& members, const std::string& records = "",
                          std::optional<std::uint16_t> entries = {},
                          std::optional<std::uint32_t> directory_offset = {}) {
  const auto u16 = [](std::size_t value) { return bytes_of(static_cast<std::uint16_t>(value)); };
  const auto u32 = [](std::size_t value) { return bytes_of(static_cast<std::uint32_t>(value)); };
  std::string file, directory;
  for (const Member& member : members) {
    const std::size_t size = member.size.value_or(static_cast<std::uint32_t>(member.data.size()));
    const std::size_t local_size = member.local_size.value_or(static_cast<std::uint32_t>(size));
    const std::string local_name = member.local_name.value_or(member.name);
    const std::string kind = u16(20) + u16(member.flags) + u16(member.method) + u32(0) +
                             u32(libdeflate_crc32(0, member.data.data(), member.data.size()));
    directory += "PK\1\2" + u16(20) + kind + u32(size) + u32(size) + u16(member.name.size()) +
                 u16(member.extra.size()) + std::string(10, '\0') +
                 u32(member.offset.value_or(static_cast<std::uint32_t>(file.size()))) +
                 member.name + member.extra;
    file += "PK\3\4" + kind + u32(local_size) + u32(local_size) + u16(local_name.size()) + u16(0) +
            local_name + member.data;
  }
  const std::size_t count = entries.value_or(static_cast<std::uint16_t>(members.size()));
  const std::size_t offset = directory_offset.value_or(static_cast<std::uint32_t>(file.size()));
  return file + directory + records + "PK\5\6" + u16(0) + u16(0) + u16(count) + u16(count) +
         u32(directory.size()) + u32(offset) + u16(0);
}

/// Opcodes of a pickle.
inline std::string pickled(std::string_view text) {
  return "X" + bytes_of(static_cast<std::uint32_t>(text.size())) + std::string(text);
}
inline std::string pickled(std::int64_t number) { return "\x8a\x08" + bytes_of(number); }
inline std::string pickled(const std::vector<std::int64_t>& numbers) {
  std::string tuple = "(";
  for (const std::int64_t number : numbers) tuple += pickled(number);
  return tuple + "t";
}

/// A pickle of {"w": a float32 tensor on storage "0"}.
inline std::string tensor_pickle(std::int64_t elements, const std::vector<std::int64_t>& sizes,
                                 const std::vector<std::int64_t>& strides,
                                 std::int64_t offset = 0) {
  return "\x80\x02}" + pickled("w") + "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") +
         "ctorch\nFloatStorage\n" + pickled("0") + pickled("cpu") + pickled(elements) + "tQ" +
         pickled(offset) + pickled(sizes) + pickled(strides) + "\x89}tRs.";
}

}  // namespace quantc::frontend
