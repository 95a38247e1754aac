// image_dump PHOTO RESIZE CROP FILTER OUT: writes a photo's way to a network's input for the oracle
// to compare: OUT.decoded and OUT.resized (8-bit RGB) and OUT.tensor (float32, normalized with
// ImageNet's mean and deviation).
#include <cstdio>
#include <exception>
#include <string>

#include "base/files.h"
#include "image/preprocess.h"

int main(int argc, char** argv) {
  using namespace quantc;
  if (argc != 6) {
    std::fputs("usage: image_dump PHOTO RESIZE CROP bilinear|bicubic OUT\n", stderr);
    return 2;
  }
  try {
    const image::Preprocessing preprocessing{.resize = std::stol(argv[2]),
                                             .crop = std::stol(argv[3]),
                                             .filter = std::string(argv[4]) == "bicubic"
                                                           ? image::Filter::kBicubic
                                                           : image::Filter::kBilinear,
                                             .mean = {0.485F, 0.456F, 0.406F},
                                             .std = {0.229F, 0.224F, 0.225F}};
    const image::Image decoded = image::decode_file(argv[1]);
    const image::Image resized =
        image::resize_shorter_side(decoded, preprocessing.resize, preprocessing.filter);
    const ir::Tensor tensor = image::preprocess(decoded, preprocessing);
    const std::string out = argv[5];
    write_file(out + ".decoded", std::vector{std::as_bytes(std::span(decoded.rgb))});
    write_file(out + ".resized", std::vector{std::as_bytes(std::span(resized.rgb))});
    write_file(out + ".tensor", std::vector{tensor.bytes()});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
