#include "frontend/pt2/tensor_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "frontend/pt2/python_json.h"

namespace quantc::frontend {
namespace {

struct ScalarTypeRow {
  std::int64_t code;
  ir::DType dtype;
};

// The format's own numbers, which are not those of PyTorch's C++ library.
constexpr std::array<ScalarTypeRow, 10> kScalarTypes = {{
    {1, ir::DType::kUInt8},
    {2, ir::DType::kInt8},
    {3, ir::DType::kInt16},
    {4, ir::DType::kInt32},
    {5, ir::DType::kInt64},
    {6, ir::DType::kFloat16},
    {7, ir::DType::kFloat32},
    {8, ir::DType::kFloat64},
    {12, ir::DType::kBool},
    {13, ir::DType::kBFloat16},
}};

// A size of {"as_int": 3} or {"as_expr": {"expr_str": "s0", ...}}.
std::variant<std::int64_t, Symbol> parse_size(const nlohmann::json& json) {
  if (find_member(json, "as_int") != nullptr) return int_member(json, "as_int");
  return Symbol{text_member(object_member(json, "as_expr"), "expr_str")};
}

}  // namespace

ir::DType dtype_of(const ScalarType& type) {
  const auto* row = std::ranges::find(kScalarTypes, type.code, &ScalarTypeRow::code);
  if (row == kScalarTypes.end()) {
    throw UnsupportedError(fmt::format(
        "expected an element type of bool, 8 to 64 bit integers or 16 to 64 bit floats, found code "
        "{}",
        type.code));
  }
  return row->dtype;
}

TensorMeta parse_tensor_meta(const nlohmann::json& json) {
  TensorMeta meta;
  meta.dtype = {int_member(json, "dtype")};
  for (const nlohmann::json& size : array_member(json, "sizes")) {
    meta.sizes.push_back(parse_size(size));
  }
  for (const nlohmann::json& stride : array_member(json, "strides")) {
    const auto value = parse_size(stride);
    if (const auto* number = std::get_if<std::int64_t>(&value)) meta.strides.push_back(*number);
  }
  const auto offset = parse_size(member(json, "storage_offset"));
  const auto* number = std::get_if<std::int64_t>(&offset);
  meta.storage_offset = number != nullptr ? *number : -1;
  return meta;
}

ir::Shape static_shape(const TensorMeta& meta) {
  ir::Shape shape;
  for (const auto& size : meta.sizes) {
    if (const auto* symbol = std::get_if<Symbol>(&size)) {
      throw UnsupportedError(fmt::format(
          "expected fixed sizes, found {}; export without dynamic_shapes", symbol->text));
    }
    shape.push_back(std::get<std::int64_t>(size));
  }
  return shape;
}

}  // namespace quantc::frontend
