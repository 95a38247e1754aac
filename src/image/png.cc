// PNG through libpng's row reader, with Pillow's conversions to RGB: alpha is dropped, gray is
// repeated, of 16 bits the upper 8 are kept, gamma and color profiles are ignored.
#include <fmt/format.h>
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "image/formats.h"

namespace quantc::image {
namespace {

struct Decoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const std::byte> rest;
  std::array<char, 200> message = {};
};

// libpng's errors must not return; C++ exceptions must not cross it.
[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* decoder = static_cast<Decoder*>(png_get_error_ptr(png));
  std::snprintf(decoder->message.data(), decoder->message.size(), "%s", message);
  png_longjmp(png, 1);
}

void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto* decoder = static_cast<Decoder*>(png_get_io_ptr(png));
  if (count > decoder->rest.size()) png_error(png, "data ends early");
  std::memcpy(to, decoder->rest.data(), count);
  decoder->rest = decoder->rest.subspan(count);
}

bool read_header(Decoder& d) {
  if (setjmp(png_jmpbuf(d.png)) != 0) return false;
  png_set_read_fn(d.png, &d, read_bytes);
  // Sizes are checked by require_plausible_size.
  png_set_user_limits(d.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(d.png, d.info);
  return true;
}

bool has_palette(const Decoder& d) {
  return png_get_color_type(d.png, d.info) == PNG_COLOR_TYPE_PALETTE;
}

// Rows of `pitch` bytes: a palette's indices, else RGB, 8 bits each.
bool read_pixels(Decoder& d, png_bytep pixels, std::size_t pitch) {
  if (setjmp(png_jmpbuf(d.png)) != 0) return false;
  if (has_palette(d)) {
    png_set_packing(d.png);
  } else {
    png_set_expand(d.png);
    png_set_strip_16(d.png);
    png_set_strip_alpha(d.png);
    png_set_gray_to_rgb(d.png);
  }
  const int passes = png_set_interlace_handling(d.png);
  png_read_update_info(d.png, d.info);
  const std::size_t height = png_get_image_height(d.png, d.info);
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t y = 0; y < height; ++y) png_read_row(d.png, pixels + y * pitch, nullptr);
  }
  png_read_end(d.png, nullptr);
  return true;
}

// Not left to libpng, which makes pixels black whose color the palette does not list.
std::vector<std::uint8_t> rgb_of_indices(const Decoder& d,
                                         const std::vector<std::uint8_t>& indices) {
  png_colorp colors = nullptr;
  int listed = 0;
  png_get_PLTE(d.png, d.info, &colors, &listed);
  std::vector<std::uint8_t> rgb;
  rgb.reserve(indices.size() * 3);
  for (const std::uint8_t index : indices) {
    if (index >= listed) {
      throw InputError(
          fmt::format("damaged PNG: expected colors below {}, the palette's size, found {}; save "
                      "it anew",
                      listed, index));
    }
    rgb.insert(rgb.end(), {colors[index].red, colors[index].green, colors[index].blue});
  }
  return rgb;
}

void require_supported(const Decoder& d) {
  if (png_get_bit_depth(d.png, d.info) < 16) return;
  if (png_get_color_type(d.png, d.info) != PNG_COLOR_TYPE_GRAY) return;
  throw UnsupportedError("expected 8 bits a channel, found a 16-bit gray PNG; save it as 8 bits");
}

// Deflate's best is 258 bytes in 2 bits. A row has a byte in front that names its filter.
std::uint64_t least_bytes(const Decoder& d) {
  constexpr std::uint64_t kBestRatio = 258 * 8 / 2;
  const std::uint64_t row = png_get_rowbytes(d.png, d.info) + 1;
  return row * png_get_image_height(d.png, d.info) / kBestRatio;
}

Image decode(Decoder& d) {
  const auto damaged = [&] {
    return InputError(fmt::format("damaged PNG: {}; save it anew", d.message.data()));
  };
  if (!read_header(d)) throw damaged();
  Image image{png_get_image_width(d.png, d.info), png_get_image_height(d.png, d.info), {}};
  require_plausible_size(image.width, image.height);
  require_supported(d);
  require_enough_data(image, least_bytes(d), d.rest.size());
  const bool palette = has_palette(d);
  const std::size_t pitch = static_cast<std::size_t>(image.width) * (palette ? 1 : 3);
  image.rgb.resize(pitch * static_cast<std::size_t>(image.height));
  if (!read_pixels(d, image.rgb.data(), pitch)) throw damaged();
  if (palette) image.rgb = rgb_of_indices(d, image.rgb);
  return image;
}

}  // namespace

Image decode_png(std::span<const std::byte> bytes) {
  Decoder d{.rest = bytes};
  d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, on_error, on_warning);
  if (d.png == nullptr) throw InternalError("libpng cannot start");
  const std::unique_ptr<Decoder, void (*)(Decoder*)> cleanup(
      &d, [](Decoder* used) { png_destroy_read_struct(&used->png, &used->info, nullptr); });
  d.info = png_create_info_struct(d.png);
  if (d.info == nullptr) throw InternalError("libpng cannot start");
  return decode(d);
}

}  // namespace quantc::image
