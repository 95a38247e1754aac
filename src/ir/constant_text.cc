#include "ir/constant_text.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "ir/attribute_text.h"

namespace quantc::ir {
namespace {

constexpr std::string_view kElided = "...";

// Calls body with an element of the C++ type; false for types without a text.
template <typename Body>
bool with_element(DType dtype, Body body) {
  switch (dtype) {
    case DType::kInt8:
      return body(std::int8_t{});
    case DType::kUInt8:
      return body(std::uint8_t{});
    case DType::kInt16:
      return body(std::int16_t{});
    case DType::kInt32:
      return body(std::int32_t{});
    case DType::kInt64:
      return body(std::int64_t{});
    case DType::kFloat32:
      return body(float{});
    case DType::kFloat64:
      return body(double{});
    default:
      return false;
  }
}

template <typename T>
Tensor parse_values(const TensorType& type, std::string_view text) {
  std::vector<T> values;
  parse_value(fmt::format("[{}]", text), values);
  if (std::cmp_not_equal(values.size(), type.elements())) {
    throw InputError(fmt::format("expected {} elements of a constant {}, found {}", type.elements(),
                                 to_string(type), values.size()));
  }
  return Tensor::of(type.shape, values);
}

}  // namespace

std::string constant_text(const Tensor& tensor, std::int64_t most) {
  std::string text(kElided);
  if (tensor.elements() > most) return text;
  with_element(tensor.dtype(), [&](auto element) {
    text = fmt::format("{}", fmt::join(tensor.values<decltype(element)>(), ","));
    return true;
  });
  return text;
}

Tensor parse_constant(const TensorType& type, std::string_view text) {
  if (text == kElided) return {type, own_bytes(std::vector<std::byte>(type.bytes()))};
  Tensor parsed;
  const bool has_text = with_element(type.dtype, [&](auto element) {
    parsed = parse_values<decltype(element)>(type, text);
    return true;
  });
  if (has_text) return parsed;
  throw InputError(
      fmt::format("expected {{...}} for a constant of {}, found '{}'", name_of(type.dtype), text));
}

}  // namespace quantc::ir
