#include "ir/attribute_text.h"

#include <charconv>
#include <cstdlib>
#include <type_traits>

#include "base/error.h"

namespace quantc::ir {
namespace {

[[noreturn]] void refuse(std::string_view expected, std::string_view found) {
  throw InputError(fmt::format("expected {}, found '{}'", expected, found));
}

template <typename Int>
Int parse_int(std::string_view text) {
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(fmt::format("an integer of {} bits", 8 * sizeof(Int)), text);
  }
  return value;
}

// strtod and strtof read what fmt prints, inf and nan included.
template <typename Float>
Float parse_real(std::string_view text) {
  const std::string terminated(text);
  char* end = nullptr;
  const Float value = std::is_same_v<Float, float> ? std::strtof(terminated.c_str(), &end)
                                                   : std::strtod(terminated.c_str(), &end);
  if (terminated.empty() || *end != '\0') refuse("a number", text);
  return value;
}

std::vector<std::int64_t> parse_ints(std::string_view text, std::size_t count) {
  std::vector<std::int64_t> values;
  for (const std::string_view item : list_items(text))
    values.push_back(parse_int<std::int64_t>(item));
  if (values.size() != count) refuse(fmt::format("{} integers", count), text);
  return values;
}

}  // namespace

std::string to_value_text(std::int64_t value) { return fmt::format("{}", value); }
std::string to_value_text(std::int32_t value) { return fmt::format("{}", value); }
std::string to_value_text(double value) { return fmt::format("{}", value); }
std::string to_value_text(float value) { return fmt::format("{}", value); }
std::string to_value_text(bool value) { return value ? "true" : "false"; }
std::string to_value_text(DType value) { return std::string(name_of(value)); }
std::string to_value_text(Size2d value) { return fmt::format("[{},{}]", value.h, value.w); }
std::string to_value_text(const Padding2d& value) {
  return fmt::format("[{},{},{},{}]", value.top, value.left, value.bottom, value.right);
}
std::string to_value_text(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "none";
}

void parse_value(std::string_view text, std::int64_t& value) {
  value = parse_int<std::int64_t>(text);
}
void parse_value(std::string_view text, std::int32_t& value) {
  value = parse_int<std::int32_t>(text);
}
void parse_value(std::string_view text, std::int16_t& value) {
  value = parse_int<std::int16_t>(text);
}
void parse_value(std::string_view text, std::int8_t& value) {
  value = parse_int<std::int8_t>(text);
}
void parse_value(std::string_view text, std::uint8_t& value) {
  value = parse_int<std::uint8_t>(text);
}
void parse_value(std::string_view text, double& value) { value = parse_real<double>(text); }
void parse_value(std::string_view text, float& value) { value = parse_real<float>(text); }
void parse_value(std::string_view text, bool& value) {
  if (text != "true" && text != "false") refuse("true or false", text);
  value = text == "true";
}
void parse_value(std::string_view text, DType& value) {
  const std::optional<DType> dtype = dtype_named(text);
  if (!dtype) refuse("an element type", text);
  value = *dtype;
}
void parse_value(std::string_view text, Size2d& value) {
  const auto sizes = parse_ints(text, 2);
  value = {sizes[0], sizes[1]};
}
void parse_value(std::string_view text, Padding2d& value) {
  const auto sides = parse_ints(text, 4);
  value = {sides[0], sides[1], sides[2], sides[3]};
}
void parse_value(std::string_view text, std::optional<std::int64_t>& value) {
  value.reset();
  if (text != "none") value = parse_int<std::int64_t>(text);
}

std::vector<std::string_view> list_items(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') refuse("[a,b,...]", text);
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    items.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

}  // namespace quantc::ir
