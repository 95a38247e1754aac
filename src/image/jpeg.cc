// JPEG through libjpeg-turbo with its defaults, which are Pillow's.
#include <fmt/format.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <memory>
// jpeglib.h needs stdio.h before it.
#include <jpeglib.h>

#include "base/error.h"
#include "image/image.h"

namespace quantc::image {
namespace {

// libjpeg reports errors through a callback that must not return; C++ exceptions must not cross it.
struct Decoder {
  jpeg_decompress_struct info = {};
  jpeg_error_mgr errors = {};
  std::jmp_buf on_error = {};
  std::array<char, JMSG_LENGTH_MAX> message = {};
};

[[noreturn]] void leave(j_common_ptr info) {
  auto* decoder = static_cast<Decoder*>(info->client_data);
  info->err->format_message(info, decoder->message.data());
  std::longjmp(decoder->on_error, 1);
}

// A warning (data that ends early, a corrupt segment) is an error here, as in Pillow.
void on_message(j_common_ptr info, int level) {
  if (level < 0) leave(info);
}

bool read_header(Decoder& d, std::span<const std::byte> bytes) {
  if (setjmp(d.on_error) != 0) return false;
  jpeg_create_decompress(&d.info);
  jpeg_mem_src(&d.info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&d.info, TRUE);
  return true;
}

// `pixels` holds the whole picture in the components of the output color space.
bool read_pixels(Decoder& d, std::uint8_t* pixels) {
  if (setjmp(d.on_error) != 0) return false;
  jpeg_start_decompress(&d.info);
  const std::size_t pitch =
      std::size_t{d.info.output_width} * static_cast<std::size_t>(d.info.output_components);
  while (d.info.output_scanline < d.info.output_height) {
    JSAMPROW row = pixels + d.info.output_scanline * pitch;
    jpeg_read_scanlines(&d.info, &row, 1);
  }
  jpeg_finish_decompress(&d.info);
  return true;
}

// Pillow's CMYK to RGB: 255 - min(255, ink + black); Adobe files store inverted inks.
std::vector<std::uint8_t> rgb_of_inverted_cmyk(const std::vector<std::uint8_t>& cmyk) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(cmyk.size() / 4 * 3);
  for (std::size_t i = 0; i + 3 < cmyk.size(); i += 4) {
    const int white = cmyk[i + 3];
    for (std::size_t c = 0; c < 3; ++c) {
      const int product = cmyk[i + c] * white + 128;
      rgb.push_back(static_cast<std::uint8_t>(((product >> 8) + product) >> 8));
    }
  }
  return rgb;
}

Image decode(Decoder& d, std::span<const std::byte> bytes) {
  if (!read_header(d, bytes)) throw InputError(fmt::format("damaged JPEG: {}", d.message.data()));
  Image image{d.info.image_width, d.info.image_height, {}};
  require_plausible_size(image.width, image.height);
  const bool cmyk = d.info.jpeg_color_space == JCS_CMYK || d.info.jpeg_color_space == JCS_YCCK;
  d.info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  image.rgb.resize(static_cast<std::size_t>(image.width * image.height * (cmyk ? 4 : 3)));
  if (!read_pixels(d, image.rgb.data())) {
    throw InputError(fmt::format("damaged JPEG: {}", d.message.data()));
  }
  if (cmyk && !d.info.saw_Adobe_marker) {
    for (std::uint8_t& ink : image.rgb) ink = static_cast<std::uint8_t>(255 - ink);
  }
  if (cmyk) image.rgb = rgb_of_inverted_cmyk(image.rgb);
  return image;
}

}  // namespace

Image decode_jpeg(std::span<const std::byte> bytes) {
  Decoder d;
  d.info.err = jpeg_std_error(&d.errors);
  d.info.client_data = &d;
  d.errors.error_exit = leave;
  d.errors.emit_message = on_message;
  const std::unique_ptr<jpeg_decompress_struct, void (*)(jpeg_decompress_struct*)> cleanup(
      &d.info, [](jpeg_decompress_struct* info) { jpeg_destroy_decompress(info); });
  return decode(d, bytes);
}

}  // namespace quantc::image
