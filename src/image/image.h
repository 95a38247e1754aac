// Photos: 8-bit RGB, and the files they come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace quantc::image {

struct Image {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height][width][3]
};

/// A JPEG, PNG or BMP, told apart by content, as Pillow's convert("RGB") gives it. InputError on a
/// damaged file, UnsupportedError on a variant that is not read.
Image decode(std::span<const std::byte> bytes);

/// The same from a file, which the errors name.
Image decode_file(const std::filesystem::path& path);

/// InputError if a picture of this size is empty or larger than Pillow accepts.
void require_plausible_size(std::int64_t width, std::int64_t height);

}  // namespace quantc::image
