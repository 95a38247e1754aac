// The decoders behind decode(): one file a format, with the same results and errors. `bytes` begins
// with the format's magic. Before a decoder takes memory for a picture it compares the size that
// the header declares with the bytes that are there.
#pragma once

#include "image/image.h"

namespace quantc::image {

Image decode_jpeg(std::span<const std::byte> bytes);
Image decode_png(std::span<const std::byte> bytes);
Image decode_bmp(std::span<const std::byte> bytes);

/// InputError if `found` bytes are fewer than the `least` that a picture of this size takes.
void require_enough_data(const Image& image, std::uint64_t least, std::uint64_t found);

}  // namespace quantc::image
