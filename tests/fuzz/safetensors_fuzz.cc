// .safetensors files. Every byte of every tensor is read.
#include "frontend/checkpoint/safetensors.h"
#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quantc;
  return fuzz::accept_or_refuse([&] {
    for (const auto& [name, tensor] : frontend::read_safetensors(fuzz::as_file(data, size))) {
      fuzz::touch(tensor.bytes());
    }
  });
}
