// JPEG, PNG and BMP pictures.
#include "fuzz_target.h"
#include "image/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quantc;
  return fuzz::accept_or_refuse([&] {
    const image::Image image = image::decode(fuzz::as_file(data, size).bytes);
    fuzz::touch(std::as_bytes(std::span(image.rgb)));
  });
}
