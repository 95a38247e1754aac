// Files appear whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quantc {

/// Writes a file beside `path` and renames it over `path`, so that nobody sees half of it.
/// InputError if the folder cannot be written.
void write_file(const std::filesystem::path& path,
                const std::vector<std::span<const std::byte>>& parts);
void write_file(const std::filesystem::path& path, std::string_view text);

/// The whole file as text; InputError if it cannot be read.
std::string read_text(const std::filesystem::path& path);

}  // namespace quantc
