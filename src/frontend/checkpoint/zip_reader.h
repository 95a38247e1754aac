// A reader of ZIP archives whose stored members become views on the mapped file. The central
// directory is the truth for sizes and offsets (torch writes data descriptors); ZIP64 is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"

namespace quantc::frontend {

struct ZipMember {
  std::string name;
  SharedBytes data;
  std::uint32_t checksum = 0;  ///< CRC-32 of the data, as the directory says.
};

/// True if the bytes begin as a ZIP archive does.
bool looks_like_zip(std::span<const std::byte> bytes);

/// The stored members, in the order of the directory. InputError on a damaged archive (no
/// directory, sizes that leave the file, two members of one name, names that climb out of the
/// archive), and UnsupportedError on compressed or encrypted members, which torch never writes.
/// Checksums are not looked at.
std::vector<ZipMember> read_zip(const SharedBytes& file);

/// InputError naming the first member whose data do not have their checksum. Reads all of the file.
void require_intact_zip(const SharedBytes& file);

}  // namespace quantc::frontend
