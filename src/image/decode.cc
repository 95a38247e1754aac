// Tells the formats apart and checks sizes.
#include <fmt/format.h>

#include <array>
#include <new>
#include <string_view>

#include "base/error.h"
#include "base/mapped_file.h"
#include "image/formats.h"

namespace quantc::image {
namespace {

// Twice Pillow's MAX_IMAGE_PIXELS, where Pillow refuses a picture as a decompression bomb.
constexpr std::int64_t kMaxPixels = 178956970;

struct Format {
  std::string_view magic;
  Image (*decode)(std::span<const std::byte> bytes);
};

constexpr std::array<Format, 3> kFormats = {
    {{"\xff\xd8\xff", decode_jpeg}, {"\x89PNG\r\n\x1a\n", decode_png}, {"BM", decode_bmp}}};

}  // namespace

void require_plausible_size(std::int64_t width, std::int64_t height) {
  if (width >= 1 && height >= 1 && width <= kMaxPixels / height) return;
  throw InputError(
      fmt::format("expected a picture of 1 to {} pixels, found {} x {}; larger ones are refused as "
                  "decompression bombs, as Pillow does",
                  kMaxPixels, width, height));
}

void require_enough_data(const Image& image, std::uint64_t least, std::uint64_t found) {
  if (found >= least) return;
  throw InputError(fmt::format("truncated: expected at least {} bytes for {} x {} pixels, found {}",
                               least, image.width, image.height, found));
}

Image decode(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Format& format : kFormats) {
    if (!text.starts_with(format.magic)) continue;
    try {
      return format.decode(bytes);
    } catch (const std::bad_alloc&) {
      throw InputError("expected a picture that fits into memory; scale it down");
    }
  }
  throw InputError(fmt::format("expected a JPEG, PNG or BMP picture, found {}; convert it",
                               bytes.empty() ? "an empty file" : "another format"));
}

Image decode_file(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return with_context(path.string(), [&] { return decode(file.bytes); });
}

}  // namespace quantc::image
