// image_dump PHOTO RESIZE CROP FILTER OUT: writes the preprocessed photo as raw float32, normalized with
// the ImageNet mean and deviation, for the oracle to compare.
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
    const image::Preprocessing preprocessing{
        .resize = std::stol(argv[2]),
        .crop = std::stol(argv[3]),
        .filter = std::string(argv[4]) == "bicubic" ? image::Filter::kBicubic
                                                    : image::Filter::kBilinear,
        .mean = {0.485F, 0.456F, 0.406F},
        .std = {0.229F, 0.224F, 0.225F}};
    const ir::Tensor tensor = image::preprocess(image::decode_file(argv[1]), preprocessing);
    write_file(argv[5], std::vector{tensor.bytes()});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
