// JPEG through libjpeg-turbo with its defaults, which are Pillow's.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <memory>
// jpeglib.h needs stdio.h before it.
#include <jpeglib.h>
// After jpeglib.h.
#include <jerror.h>

#include "base/error.h"
#include "image/formats.h"

namespace quantc::image {
namespace {

// A libjpeg decoder and its state. libjpeg reports errors through a callback that must not return;
// C++ exceptions must not cross it.
struct Decoder {
  jpeg_decompress_struct info = {};
  jpeg_error_mgr errors = {};
  jpeg_progress_mgr progress = {};
  std::jmp_buf on_error = {};
  std::array<char, JMSG_LENGTH_MAX> message = {};
};

// Warnings about what lies around the pixels; Pillow reads such files too.
constexpr std::array<int, 4> kHarmless = {JWRN_ADOBE_XFORM, JWRN_BOGUS_ICC, JWRN_EXTRANEOUS_DATA,
                                          JWRN_JFIF_MAJOR};

// A tiny progressive file can ask for any number of passes over a large picture. Encoders make ten.
constexpr int kMaxScans = 500;

[[noreturn]] void leave(j_common_ptr info) {
  auto* decoder = static_cast<Decoder*>(info->client_data);
  info->err->format_message(info, decoder->message.data());
  std::longjmp(decoder->on_error, 1);
}

// Other warnings (data that ends early, codes that do not exist) mean pixels made up by libjpeg.
void on_message(j_common_ptr info, int level) {
  const bool harmless = std::ranges::find(kHarmless, info->err->msg_code) != kHarmless.end();
  if (level < 0 && !harmless) leave(info);
}

void on_progress(j_common_ptr info) {
  auto* decoder = static_cast<Decoder*>(info->client_data);
  if (decoder->info.input_scan_number <= kMaxScans) return;
  std::snprintf(decoder->message.data(), decoder->message.size(),
                "expected at most %d scans, found more", kMaxScans);
  std::longjmp(decoder->on_error, 1);
}

bool read_header(Decoder& d, std::span<const std::byte> bytes) {
  if (setjmp(d.on_error) != 0) return false;
  jpeg_create_decompress(&d.info);
  d.info.progress = &d.progress;
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

// Pillow takes the inks of every CMYK JPEG as inverted (Adobe's way), Adobe marker or not. Its
// 255 - black - round(ink * (255 - black) / 255) is then round(cmy * k / 255).
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

// Every 8 x 8 block of every component takes at least one bit: its DC coefficient's Huffman code.
// libjpeg keeps all blocks of a progressive picture in memory, 128 bytes each.
std::uint64_t least_bytes(const Decoder& d) {
  std::uint64_t blocks = 0;
  for (int i = 0; i < d.info.num_components; ++i) {
    const jpeg_component_info& component = d.info.comp_info[i];
    blocks += std::uint64_t{component.width_in_blocks} * component.height_in_blocks;
  }
  return blocks / 8;
}

Image decode(Decoder& d, std::span<const std::byte> bytes) {
  const auto damaged = [&] {
    return InputError(fmt::format("damaged JPEG: {}; save it anew", d.message.data()));
  };
  if (!read_header(d, bytes)) throw damaged();
  Image image{d.info.image_width, d.info.image_height, {}};
  require_plausible_size(image.width, image.height);
  if (d.info.arith_code != FALSE) {
    throw UnsupportedError("expected a Huffman-coded JPEG, found arithmetic coding; save it anew");
  }
  require_enough_data(image, least_bytes(d), bytes.size());
  const bool cmyk = d.info.jpeg_color_space == JCS_CMYK || d.info.jpeg_color_space == JCS_YCCK;
  d.info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  image.rgb.resize(static_cast<std::size_t>(image.width * image.height * (cmyk ? 4 : 3)));
  if (!read_pixels(d, image.rgb.data())) throw damaged();
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
  d.progress.progress_monitor = on_progress;
  const std::unique_ptr<jpeg_decompress_struct, void (*)(jpeg_decompress_struct*)> cleanup(
      &d.info, [](jpeg_decompress_struct* info) { jpeg_destroy_decompress(info); });
  return decode(d, bytes);
}

}  // namespace quantc::image
