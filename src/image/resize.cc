// Pillow's resample for 8-bit images: a triangle or cubic filter stretched by the reduction, its
// coefficients in fixed point, horizontally first, then vertically, rounded to 8 bits in between.
#include <algorithm>
#include <cmath>

#include "image/preprocess.h"

namespace quantc::image {
namespace {

constexpr int kPrecisionBits = 32 - 8 - 2;

struct Kernel {
  double support;
  double (*weight)(double x);
};

double triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

// Keys' cubic with a = -0.5.
double cubic(double x) {
  constexpr double kA = -0.5;
  x = std::abs(x);
  if (x < 1.0) return ((kA + 2.0) * x - (kA + 3.0)) * x * x + 1;
  if (x < 2.0) return (((x - 5) * x + 8) * x - 4) * kA;
  return 0.0;
}

Kernel kernel_of(Filter filter) {
  return filter == Filter::kBilinear ? Kernel{1.0, triangle} : Kernel{2.0, cubic};
}

// The input pixels that make one output pixel, and their weights in fixed point.
struct Taps {
  std::int64_t first = 0;
  std::vector<std::int32_t> weights;
};

Taps taps_of(const Kernel& kernel, std::int64_t input, double scale, std::int64_t i) {
  const double stretch = std::max(scale, 1.0);
  const double support = kernel.support * stretch;
  const double center = (static_cast<double>(i) + 0.5) * scale;
  const auto first = static_cast<std::int64_t>(std::max(std::floor(center - support + 0.5), 0.0));
  const auto last = std::min(static_cast<std::int64_t>(std::floor(center + support + 0.5)), input);
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t x = first; x < last; ++x) {
    const double offset = static_cast<double>(x) - center + 0.5;
    weights.push_back(kernel.weight(offset * (1.0 / stretch)));
    sum += weights.back();
  }
  Taps taps{first, {}};
  for (double weight : weights) {
    if (sum != 0.0) weight /= sum;
    const double fixed = weight * (1 << kPrecisionBits);
    taps.weights.push_back(static_cast<std::int32_t>(fixed + (weight < 0 ? -0.5 : 0.5)));
  }
  return taps;
}

std::vector<Taps> all_taps(Filter filter, std::int64_t input, std::int64_t output) {
  const double scale = static_cast<double>(input) / static_cast<double>(output);
  std::vector<Taps> taps;
  for (std::int64_t i = 0; i < output; ++i) {
    taps.push_back(taps_of(kernel_of(filter), input, scale, i));
  }
  return taps;
}

std::uint8_t weighted_sum(const Taps& taps, const std::uint8_t* first, std::int64_t step) {
  std::int32_t sum = 1 << (kPrecisionBits - 1);
  for (const std::int32_t weight : taps.weights) {
    sum += *first * weight;
    first += step;
  }
  return static_cast<std::uint8_t>(std::clamp(sum >> kPrecisionBits, 0, 255));
}

Image resize_rows(const Image& image, std::int64_t width, Filter filter) {
  const std::vector<Taps> taps = all_taps(filter, image.width, width);
  Image out{width, image.height, {}};
  out.rgb.reserve(static_cast<std::size_t>(width * image.height * 3));
  for (std::int64_t y = 0; y < image.height; ++y) {
    const std::uint8_t* row = image.rgb.data() + y * image.width * 3;
    for (const Taps& tap : taps) {
      for (int c = 0; c < 3; ++c) {
        out.rgb.push_back(weighted_sum(tap, row + tap.first * 3 + c, 3));
      }
    }
  }
  return out;
}

Image resize_columns(const Image& image, std::int64_t height, Filter filter) {
  const std::int64_t pitch = image.width * 3;
  Image out{image.width, height, {}};
  out.rgb.reserve(static_cast<std::size_t>(pitch * height));
  for (const Taps& tap : all_taps(filter, image.height, height)) {
    for (std::int64_t x = 0; x < pitch; ++x) {
      out.rgb.push_back(weighted_sum(tap, image.rgb.data() + tap.first * pitch + x, pitch));
    }
  }
  return out;
}

}  // namespace

Image resize(const Image& image, std::int64_t width, std::int64_t height, Filter filter) {
  require_plausible_size(image.width, image.height);
  require_plausible_size(width, height);
  if (image.width == width && image.height == height) return image;
  if (image.width == width) return resize_columns(image, height, filter);
  Image rows = resize_rows(image, width, filter);
  if (image.height == height) return rows;
  return resize_columns(rows, height, filter);
}

}  // namespace quantc::image
