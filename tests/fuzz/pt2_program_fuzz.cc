// Programs of torch.export: JSON, signatures, operators. Weights are zeros of the types that the
// program claims.
#include "frontend/pt2/import.h"
#include "frontend/pt2/tensor_meta.h"
#include "fuzz_target.h"

namespace {

using namespace quantc;

constexpr std::int64_t kMostElements = std::int64_t{1} << 16;

frontend::TensorSource zeros(const frontend::Program& program) {
  return [&program](const std::string& key) {
    for (const frontend::InputSpec& input : program.inputs) {
      const auto meta = program.tensors.find(input.value);
      if (input.key != key || meta == program.tensors.end()) continue;
      const ir::TensorType type{frontend::dtype_of(meta->second.dtype),
                                frontend::static_shape(meta->second)};
      const std::int64_t elements = ir::element_count(type.shape);
      if (elements < 0 || elements > kMostElements) break;
      return ir::Tensor(type, own_bytes(std::vector<std::byte>(type.bytes())));
    }
    throw InputError(key + ": expected a type with few elements");
  };
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::accept_or_refuse([&] {
    frontend::Pt2Archive archive{.program = fuzz::as_file(data, size)};
    const frontend::Program program = frontend::parse_program(archive.program_text());
    archive.weights = archive.constants = zeros(program);
    frontend::import_pt2(archive, "fuzz");
  });
}
