// Uncompressed BMP of 1, 4, 8 (palette), 24 and 32 bits.
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "base/byte_reader.h"
#include "base/error.h"
#include "image/formats.h"

namespace quantc::image {
namespace {

constexpr std::uint32_t kInfoHeaderSize = 40;
constexpr std::uint64_t kFileHeaderSize = 14;
constexpr std::uint32_t kUncompressed = 0;
constexpr std::uint32_t kBitFields =
    3;  ///< Uncompressed, with masks that say where the colors are.

using Masks = std::array<std::uint32_t, 3>;
constexpr Masks kBgrMasks = {0xff0000, 0xff00, 0xff};

struct Header {
  std::uint64_t data_offset = 0;
  std::uint64_t info_size = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;  ///< Negative: the first row is the top one.
  std::uint32_t bits = 0;   ///< Of a pixel.
  std::uint32_t compression = 0;
  std::uint64_t colors = 0;  ///< In the palette.
};

Header read_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Header header;
  reader.skip(10);
  header.data_offset = reader.read<std::uint32_t>();
  header.info_size = reader.read<std::uint32_t>();
  if (header.info_size < kInfoHeaderSize) {
    throw UnsupportedError(
        fmt::format("expected a BMP header of at least {} bytes, found {}, OS/2's old form; save "
                    "it anew",
                    kInfoHeaderSize, header.info_size));
  }
  header.width = reader.read<std::int32_t>();
  header.height = reader.read<std::int32_t>();
  reader.skip(2);
  header.bits = reader.read<std::uint16_t>();
  header.compression = reader.read<std::uint32_t>();
  reader.skip(12);
  const auto listed = reader.read<std::uint32_t>();
  if (header.bits <= 8) header.colors = listed == 0 ? 1U << header.bits : listed;
  return header;
}

// BGRX is the order that uncompressed pictures have without masks.
bool has_bgr_masks(const Header& header, std::span<const std::byte> bytes) {
  if (header.bits != 32) return false;
  return ByteReader(bytes, kFileHeaderSize + kInfoHeaderSize).read<Masks>() == kBgrMasks;
}

void require_supported(const Header& header, std::span<const std::byte> bytes) {
  const bool palette = header.bits == 1 || header.bits == 4 || header.bits == 8;
  const bool color = header.bits == 24 || header.bits == 32;
  const bool plain = header.compression == kUncompressed ||
                     (header.compression == kBitFields && has_bgr_masks(header, bytes));
  if ((palette || color) && plain) return;
  throw UnsupportedError(
      fmt::format("expected an uncompressed BMP of 1, 4, 8, 24 or 32 bits in the order BGR, found "
                  "{} bits, compression {}; save it as 24 bits",
                  header.bits, header.compression));
}

// `row` is BGR or BGRX.
void append_colors(const Header& header, const std::byte* row, std::vector<std::uint8_t>& rgb) {
  const std::size_t pixel_bytes = header.bits / 8;
  for (std::int32_t x = 0; x < header.width; ++x, row += pixel_bytes) {
    for (std::size_t c = 3; c-- > 0;) rgb.push_back(std::to_integer<std::uint8_t>(row[c]));
  }
}

// `row` holds palette indices, the leftmost in a byte's highest bits; `palette` is BGRX.
void append_indexed(const Header& header, const std::byte* row, const std::byte* palette,
                    std::vector<std::uint8_t>& rgb) {
  const std::size_t bits = header.bits;
  for (std::size_t x = 0; x < static_cast<std::size_t>(header.width); ++x) {
    const std::size_t shift = 8 - bits - x * bits % 8;
    const std::size_t index =
        std::to_integer<std::size_t>(row[x * bits / 8]) >> shift & ((1U << bits) - 1);
    if (index >= header.colors) {
      throw InputError(
          fmt::format("damaged BMP: expected colors below {}, the palette's size, found {}",
                      header.colors, index));
    }
    for (std::size_t c = 3; c-- > 0;) {
      rgb.push_back(std::to_integer<std::uint8_t>(palette[index * 4 + c]));
    }
  }
}

}  // namespace

Image decode_bmp(std::span<const std::byte> bytes) {
  const Header header = read_header(bytes);
  require_supported(header, bytes);
  Image image{header.width, std::abs(std::int64_t{header.height}), {}};
  require_plausible_size(image.width, image.height);

  ByteReader head(bytes, kFileHeaderSize + header.info_size);
  const auto palette = head.take(header.colors * 4);
  if (header.data_offset < head.position()) {
    throw InputError(fmt::format("damaged BMP: expected pixels from byte {} on, found {}",
                                 head.position(), header.data_offset));
  }
  const auto height = static_cast<std::size_t>(image.height);
  const std::size_t row_bytes = (static_cast<std::size_t>(image.width) * header.bits + 7) / 8;
  const std::size_t pitch = (row_bytes + 3) / 4 * 4;
  // The last row's filler may be missing.
  const auto data = ByteReader(bytes, header.data_offset).take(pitch * (height - 1) + row_bytes);

  image.rgb.reserve(static_cast<std::size_t>(image.width) * height * 3);
  for (std::size_t y = 0; y < height; ++y) {
    const std::byte* row = data.data() + pitch * (header.height < 0 ? y : height - 1 - y);
    if (palette.empty()) {
      append_colors(header, row, image.rgb);
    } else {
      append_indexed(header, row, palette.data(), image.rgb);
    }
  }
  return image;
}

}  // namespace quantc::image
