// TorchVision's classification preset on Pillow images: Resize, CenterCrop, ToTensor, Normalize.
#include "image/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace quantc::image {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// TorchVision's int(round((size - crop) / 2)): halves go to the even number.
std::int64_t crop_offset(std::int64_t size, std::int64_t crop) {
  return static_cast<std::int64_t>(std::nearbyint(static_cast<double>(size - crop) / 2.0));
}

// Black borders around an image smaller than the crop; the odd pixel goes right and below.
Image padded(const Image& image, std::int64_t size) {
  Image larger{std::max(image.width, size), std::max(image.height, size), {}};
  larger.rgb.assign(at(larger.width * larger.height * 3), 0);
  const std::int64_t left = (larger.width - image.width) / 2;
  const std::int64_t top = (larger.height - image.height) / 2;
  for (std::int64_t y = 0; y < image.height; ++y) {
    std::copy_n(image.rgb.begin() + y * image.width * 3, image.width * 3,
                larger.rgb.begin() + ((y + top) * larger.width + left) * 3);
  }
  return larger;
}

// A channel's 256 normalized values.
std::array<float, 256> normalized_values(float mean, float std) {
  if (!(std > 0) || !std::isfinite(std) || !std::isfinite(mean)) {
    throw InputError(fmt::format(
        "preprocessing: expected a finite mean and a positive std, found {} and {}", mean, std));
  }
  std::array<float, 256> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (static_cast<float>(i) / 255.0F - mean) / std;
  }
  return values;
}

}  // namespace

Image resize_shorter_side(const Image& image, std::int64_t size, Filter filter) {
  require_plausible_size(image.width, image.height);
  require_plausible_size(size, size);
  const std::int64_t shorter = std::min(image.width, image.height);
  const std::int64_t longer = std::max(image.width, image.height);
  if (shorter == size) return image;
  const std::int64_t scaled = size * longer / shorter;
  return image.width <= image.height ? resize(image, size, scaled, filter)
                                     : resize(image, scaled, size, filter);
}

Image center_crop(const Image& image, std::int64_t size) {
  require_plausible_size(image.width, image.height);
  require_plausible_size(size, size);
  if (image.width < size || image.height < size) return center_crop(padded(image, size), size);
  const std::int64_t left = crop_offset(image.width, size);
  const std::int64_t top = crop_offset(image.height, size);
  Image cropped{size, size, {}};
  cropped.rgb.reserve(at(size * size * 3));
  for (std::int64_t y = top; y < top + size; ++y) {
    const auto row = image.rgb.begin() + (y * image.width + left) * 3;
    cropped.rgb.insert(cropped.rgb.end(), row, row + size * 3);
  }
  return cropped;
}

ir::Tensor preprocess(const Image& image, const Preprocessing& preprocessing) {
  const std::int64_t size = preprocessing.crop;
  const Image cropped =
      center_crop(resize_shorter_side(image, preprocessing.resize, preprocessing.filter), size);
  std::vector<float> planes(cropped.rgb.size());
  const std::size_t plane = at(size * size);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto values = normalized_values(preprocessing.mean[c], preprocessing.std[c]);
    for (std::size_t i = 0; i < plane; ++i) {
      planes[c * plane + i] = values[cropped.rgb[i * 3 + c]];
    }
  }
  return ir::Tensor::of({1, 3, size, size}, planes);
}

}  // namespace quantc::image
