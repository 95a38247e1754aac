#include "ir/dtype.h"

#include <array>

namespace quantc::ir {
namespace {

struct DTypeRow {
  std::string_view name;
  std::size_t bytes;
  bool is_float;
};

// Indexed by DType.
constexpr std::array<DTypeRow, 10> kDTypes = {{
    {"bool", 1, false},
    {"u8", 1, false},
    {"i8", 1, false},
    {"i16", 2, false},
    {"i32", 4, false},
    {"i64", 8, false},
    {"f16", 2, true},
    {"bf16", 2, true},
    {"f32", 4, true},
    {"f64", 8, true},
}};

const DTypeRow& row(DType dtype) { return kDTypes.at(static_cast<std::size_t>(dtype)); }

}  // namespace

std::size_t size_of(DType dtype) { return row(dtype).bytes; }

std::string_view name_of(DType dtype) { return row(dtype).name; }

bool is_float(DType dtype) { return row(dtype).is_float; }

std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    if (kDTypes[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

}  // namespace quantc::ir
