// The decoders behind decode(): one file a format, with the same results and errors. `bytes` begins
// with the format's magic.
#pragma once

#include "image/image.h"

namespace quantc::image {

Image decode_jpeg(std::span<const std::byte> bytes);
Image decode_png(std::span<const std::byte> bytes);
Image decode_bmp(std::span<const std::byte> bytes);

}  // namespace quantc::image
