// Whole checkpoints of any format, up to float32 tensors.
#include "frontend/checkpoint/float32.h"
#include "frontend/checkpoint/state_dict.h"
#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quantc;
  return fuzz::accept_or_refuse([&] {
    for (const auto& [name, tensor] :
         frontend::read_checkpoint(fuzz::as_file(data, size)).tensors) {
      fuzz::touch(frontend::as_float32(tensor).bytes());
    }
  });
}
