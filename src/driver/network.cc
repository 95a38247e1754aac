#include "driver/network.h"

#include "base/error.h"

namespace quantc::driver {

NetworkSource zoo_network(const frontend::ModelInfo& model) {
  return {std::string(model.name), &model, {}};
}

NetworkSource find_network(const std::string& what) {
  const std::filesystem::path path(what);
  if (path.extension() != ".pt2") return zoo_network(frontend::find_model(what));
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(what + ": expected a .pt2 file, found none");
  }
  return {path.stem().string(), nullptr, path};
}

image::Preprocessing usual_preprocessing(std::int64_t input_size) {
  return {.resize = input_size * 8 / 7,
          .crop = input_size,
          .filter = image::Filter::kBilinear,
          .mean = {0.485F, 0.456F, 0.406F},
          .std = {0.229F, 0.224F, 0.225F}};
}

}  // namespace quantc::driver
