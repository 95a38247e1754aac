// Reads little-endian numbers from a byte range, never beyond its end.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace quantc {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, std::size_t position = 0)
      : bytes_(bytes), position_(position) {}

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - std::min(position_, bytes_.size()); }
  bool at_end() const { return remaining() == 0; }

  /// InputError if fewer than `count` bytes are left.
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > remaining()) {
      throw InputError("truncated: expected " + std::to_string(count) + " bytes at offset " +
                       std::to_string(position_) + ", found " + std::to_string(remaining()));
    }
    const auto part = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += part.size();
    return part;
  }

  void skip(std::uint64_t count) { take(count); }

  template <typename T>
  T read() {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::string_view text(std::uint64_t count) {
    const auto part = take(count);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_;
};

}  // namespace quantc
