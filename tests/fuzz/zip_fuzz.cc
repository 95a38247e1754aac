// ZIP archives: the directory, ZIP64, names. Every byte that a member claims is read.
#include "frontend/checkpoint/zip_reader.h"
#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quantc;
  return fuzz::accept_or_refuse([&] {
    for (const frontend::ZipMember& member : frontend::read_zip(fuzz::as_file(data, size))) {
      fuzz::touch(member.data.bytes);
    }
  });
}
