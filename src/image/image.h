// Photos: 8-bit RGB, and the files they come from.
#pragma once

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
/// damaged file, UnsupportedError on a variant that is not read; both name the file.
Image decode_file(const std::filesystem::path& path);

/// The decoders behind it. `bytes` begins with the format's magic.
Image decode_jpeg(std::span<const std::byte> bytes);
Image decode_png(std::span<const std::byte> bytes);
Image decode_bmp(std::span<const std::byte> bytes);

/// InputError if a picture of this size is empty or larger than Pillow accepts.
void require_plausible_size(std::int64_t width, std::int64_t height);

}  // namespace quantc::image
