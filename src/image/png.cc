// PNG through libpng's simplified reading calls, with Pillow's conversions to RGB: alpha is
// dropped, gray is repeated.
#include <fmt/format.h>
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "image/image.h"

namespace quantc::image {
namespace {

struct Decoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const std::byte> rest;
  std::array<char, 200> message = {};
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* decoder = static_cast<Decoder*>(png_get_error_ptr(png));
  std::strncpy(decoder->message.data(), message, decoder->message.size() - 1);
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
  png_read_info(d.png, d.info);
  return true;
}

// Eight-bit RGB rows, whatever the file holds.
bool read_pixels(Decoder& d, png_bytepp rows) {
  if (setjmp(png_jmpbuf(d.png)) != 0) return false;
  png_set_expand(d.png);
  png_set_strip_16(d.png);
  png_set_strip_alpha(d.png);
  png_set_gray_to_rgb(d.png);
  png_set_interlace_handling(d.png);
  png_read_update_info(d.png, d.info);
  png_read_image(d.png, rows);
  png_read_end(d.png, nullptr);
  return true;
}

Image decode(Decoder& d) {
  const auto damaged = [&] { return InputError(fmt::format("damaged PNG: {}", d.message.data())); };
  if (!read_header(d)) throw damaged();
  Image image{png_get_image_width(d.png, d.info), png_get_image_height(d.png, d.info), {}};
  require_plausible_size(image.width, image.height);
  const auto color = png_get_color_type(d.png, d.info);
  if (png_get_bit_depth(d.png, d.info) == 16 && color == PNG_COLOR_TYPE_GRAY) {
    throw UnsupportedError(
        "a 16-bit gray PNG, which Pillow does not map to RGB either; save 8 bits");
  }
  image.rgb.resize(static_cast<std::size_t>(image.width * image.height * 3));
  std::vector<png_bytep> rows;
  for (std::int64_t y = 0; y < image.height; ++y) {
    rows.push_back(image.rgb.data() + y * image.width * 3);
  }
  if (!read_pixels(d, rows.data())) throw damaged();
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
