// Text of attribute values: to_value_text and parse_value, one pair for each type of attribute.
// parse_value throws an InputError that says what was expected and found.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ops.h"

namespace quantc::ir {

std::string to_value_text(std::int64_t value);
std::string to_value_text(std::int32_t value);
std::string to_value_text(double value);
std::string to_value_text(float value);
std::string to_value_text(bool value);
std::string to_value_text(DType value);
std::string to_value_text(Size2d value);
std::string to_value_text(const Padding2d& value);
std::string to_value_text(const std::optional<std::int64_t>& value);
template <typename T>
std::string to_value_text(const std::vector<T>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

void parse_value(std::string_view text, std::int64_t& value);
void parse_value(std::string_view text, std::int32_t& value);
void parse_value(std::string_view text, std::int16_t& value);
void parse_value(std::string_view text, std::int8_t& value);
void parse_value(std::string_view text, std::uint8_t& value);
void parse_value(std::string_view text, double& value);
void parse_value(std::string_view text, float& value);
void parse_value(std::string_view text, bool& value);
void parse_value(std::string_view text, DType& value);
void parse_value(std::string_view text, Size2d& value);
void parse_value(std::string_view text, Padding2d& value);
void parse_value(std::string_view text, std::optional<std::int64_t>& value);

/// The items of "[a,b,...]".
std::vector<std::string_view> list_items(std::string_view text);

template <typename T>
void parse_value(std::string_view text, std::vector<T>& values) {
  values.clear();
  for (const std::string_view item : list_items(text)) parse_value(item, values.emplace_back());
}

}  // namespace quantc::ir
