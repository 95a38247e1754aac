// Archives of torch.export: layouts, tensor descriptions, raw and pickled storages.
#include "frontend/pt2/import.h"
#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quantc;
  return fuzz::accept_or_refuse([&] {
    const ir::Graph graph = frontend::import_pt2(fuzz::as_file(data, size), "fuzz");
    for (const ir::Value& value : graph.values) {
      if (value.constant) fuzz::touch(value.constant->bytes());
    }
  });
}
