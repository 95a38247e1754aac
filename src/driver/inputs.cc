// Files that a user names by folder or by kind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "base/error.h"
#include "driver/compile.h"

namespace quantc::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandom = "random:";
constexpr std::array<std::string_view, 4> kImageExtensions = {".jpg", ".jpeg", ".png", ".bmp"};

bool is_image(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return std::find(kImageExtensions.begin(), kImageExtensions.end(), extension) !=
         kImageExtensions.end();
}

// mt19937 is the same everywhere; the standard's normal_distribution is not.
ir::Tensor random_input(std::uint32_t seed, std::int64_t size) {
  std::mt19937 generator(seed);
  const auto uniform = [&] { return (generator() + 0.5) * 0x1p-32; };
  std::vector<float> values(static_cast<std::size_t>(3 * size * size));
  for (float& value : values) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    value = static_cast<float>(radius * std::cos(2 * std::numbers::pi * uniform()));
  }
  return ir::Tensor::of({1, 3, size, size}, values);
}

std::uint32_t random_count(std::string_view text) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    throw InputError(fmt::format("calibration: expected random:N with N of 1 or more, found '{}{}'",
                                 kRandom, text));
  }
  return count;
}

}  // namespace

fs::path find_weights(const fs::path& path, const frontend::ModelInfo& model) {
  if (!fs::is_directory(path)) return path;
  const std::array<std::string, 3> names = {fmt::format("{}.pth", model.name),
                                            fmt::format("{}.safetensors", model.name),
                                            std::string(model.weights_file)};
  for (const std::string& name : names) {
    if (fs::exists(path / name)) return path / name;
  }
  throw InputError(fmt::format("{}: no weights of {}; expected one of {}", path.string(),
                               model.name, fmt::join(names, ", ")));
}

std::vector<fs::path> find_images(const fs::path& path) {
  if (fs::is_regular_file(path)) return {path};
  if (!fs::is_directory(path)) {
    throw InputError(path.string() + ": expected a picture or a folder of pictures, found neither");
  }
  std::vector<fs::path> images;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file() && is_image(entry.path())) images.push_back(entry.path());
  }
  if (images.empty()) {
    throw InputError(path.string() + ": expected .jpg, .png or .bmp pictures, found none");
  }
  std::sort(images.begin(), images.end());
  return images;
}

quantize::CalibrationSource calibration_source(const std::string& from,
                                               const image::Preprocessing& preprocessing,
                                               const Progress& progress) {
  const auto report = [progress](std::size_t next, std::size_t count) {
    progress(fmt::format("calibration: picture {} of {}", next + 1, count));
  };
  if (from.starts_with(kRandom)) {
    const std::uint32_t count = random_count(std::string_view(from).substr(kRandom.size()));
    return [next = 0U, count, size = preprocessing.crop,
            report]() mutable -> std::optional<ir::Tensor> {
      if (next == count) return std::nullopt;
      report(next, count);
      return random_input(next++, size);
    };
  }
  return [images = find_images(from), next = std::size_t{0}, preprocessing,
          report]() mutable -> std::optional<ir::Tensor> {
    if (next == images.size()) return std::nullopt;
    report(next, images.size());
    return image::preprocess(image::decode_file(images[next++]), preprocessing);
  };
}

}  // namespace quantc::driver
