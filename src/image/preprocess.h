// From a photo to a network's input, byte for byte as TorchVision on Pillow does it.
#pragma once

#include <array>
#include <cstdint>

#include "image/image.h"
#include "ir/tensor.h"

namespace quantc::image {

enum class Filter : std::uint8_t { kBilinear, kBicubic };

/// TorchVision's classification preset.
struct Preprocessing {
  std::int64_t resize = 256;  ///< Length of the shorter side.
  std::int64_t crop = 224;
  Filter filter = Filter::kBilinear;
  std::array<float, 3> mean{};
  std::array<float, 3> std{};
};

// All of these: InputError if a size is not plausible (require_plausible_size).

/// Pillow's antialiased 8-bit resample to width x height.
Image resize(const Image& image, std::int64_t width, std::int64_t height, Filter filter);

/// Shorter side to `size`, the longer one to int(size * long / short).
Image resize_shorter_side(const Image& image, std::int64_t size, Filter filter);

/// The middle size x size; what lies outside of the image is black.
Image center_crop(const Image& image, std::int64_t size);

/// f32[1,3,crop,crop]: resized, cropped, in [0,1], normalized. InputError unless every std is
/// positive.
ir::Tensor preprocess(const Image& image, const Preprocessing& preprocessing);

}  // namespace quantc::image
