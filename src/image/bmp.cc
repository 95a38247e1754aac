// Uncompressed BMP of 8 (palette), 24 and 32 bits.
#include <fmt/format.h>

#include <cstdlib>

#include "base/byte_reader.h"
#include "base/error.h"
#include "image/image.h"

namespace quantc::image {
namespace {

constexpr std::uint32_t kInfoHeaderSize = 40;
constexpr std::size_t kFileHeaderSize = 14;

struct Header {
  std::uint32_t data_offset = 0;
  std::uint32_t info_size = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;  ///< Negative: the first row is the top one.
  std::uint16_t bits = 0;
  std::uint32_t compression = 0;
  std::uint32_t colors = 0;
};

Header read_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Header header;
  reader.skip(10);
  header.data_offset = reader.read<std::uint32_t>();
  header.info_size = reader.read<std::uint32_t>();
  if (header.info_size < kInfoHeaderSize) throw UnsupportedError("a BMP of OS/2's old form");
  header.width = reader.read<std::int32_t>();
  header.height = reader.read<std::int32_t>();
  reader.skip(2);
  header.bits = reader.read<std::uint16_t>();
  header.compression = reader.read<std::uint32_t>();
  reader.skip(12);
  header.colors = reader.read<std::uint32_t>();
  return header;
}

void require_supported(const Header& header) {
  const bool known_bits = header.bits == 8 || header.bits == 24 || header.bits == 32;
  if (known_bits && header.compression == 0) return;
  throw UnsupportedError(
      fmt::format("expected an uncompressed BMP of 8, 24 or 32 bits, found {} bits, "
                  "compression {}",
                  header.bits, header.compression));
}

// Colors of an 8-bit picture as BGR0, black where the file lists fewer than 256.
std::vector<std::byte> read_palette(const Header& header, std::span<const std::byte> bytes) {
  if (header.bits != 8) return {};
  const std::size_t colors = header.colors == 0 ? 256 : std::min<std::size_t>(header.colors, 256);
  const auto listed = ByteReader(bytes, kFileHeaderSize + header.info_size).take(colors * 4);
  std::vector<std::byte> palette(listed.begin(), listed.end());
  palette.resize(256 * std::size_t{4});
  return palette;
}

}  // namespace

Image decode_bmp(std::span<const std::byte> bytes) {
  const Header header = read_header(bytes);
  require_supported(header);
  Image image{header.width, std::abs(std::int64_t{header.height}), {}};
  require_plausible_size(image.width, image.height);
  const std::vector<std::byte> palette = read_palette(header, bytes);
  const std::size_t pixel_bytes = header.bits / 8U;
  const auto width = static_cast<std::size_t>(image.width);
  const std::size_t pitch = (width * pixel_bytes + 3) / 4 * 4;
  const auto data =
      ByteReader(bytes, header.data_offset).take(pitch * static_cast<std::size_t>(image.height));
  image.rgb.reserve(width * static_cast<std::size_t>(image.height) * 3);
  for (std::int64_t y = 0; y < image.height; ++y) {
    const std::int64_t row = header.height < 0 ? y : image.height - 1 - y;
    const std::byte* pixel = data.data() + static_cast<std::size_t>(row) * pitch;
    for (std::size_t x = 0; x < width; ++x, pixel += pixel_bytes) {
      const std::byte* bgr =
          palette.empty() ? pixel : palette.data() + std::to_integer<std::size_t>(*pixel) * 4;
      for (std::size_t c = 3; c-- > 0;) image.rgb.push_back(std::to_integer<std::uint8_t>(bgr[c]));
    }
  }
  return image;
}

}  // namespace quantc::image
