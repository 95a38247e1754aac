// A file mapped read-only into memory: constants of a compiled model are views on it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace quantc {

/// Bytes and whoever keeps them alive. A copy is cheap and shares the owner.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;

  /// The part [offset, offset + size); InternalError if it does not lie inside.
  SharedBytes part(std::size_t offset, std::size_t size) const;
};

/// Maps the whole file. InputError if it cannot be opened or is not a regular file. An empty file
/// gives an empty span.
SharedBytes map_file(const std::filesystem::path& path);

/// Takes ownership of a buffer.
SharedBytes own_bytes(std::vector<std::byte> buffer);

}  // namespace quantc
