// One bare pickle.
#include "frontend/checkpoint/pickle.h"
#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quantc;
  return fuzz::accept_or_refuse([&] {
    ByteReader reader(fuzz::as_file(data, size).bytes);
    frontend::read_pickle(reader);
  });
}
