// JSON as Python writes it, and strict access to its values: a number that is no integer, or text
// in place of a flag, is an error and never converted.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace quantc::frontend {

/// Python writes NaN, Infinity and -Infinity as bare words, which JSON does not have; they become
/// text. InputError if the rest is no JSON.
nlohmann::json parse_python_json(std::string_view text);

/// A member of an object, or nullptr where it is missing or null.
const nlohmann::json* find_member(const nlohmann::json& object, const char* key);

/// These throw an InputError that names `key`, what was expected and what was found.
const nlohmann::json& member(const nlohmann::json& object, const char* key);
const nlohmann::json& array_member(const nlohmann::json& object, const char* key);
const nlohmann::json& object_member(const nlohmann::json& object, const char* key);
std::string text_member(const nlohmann::json& object, const char* key);
std::int64_t int_member(const nlohmann::json& object, const char* key);

/// The same of a value that stands alone; `what` names it.
std::int64_t as_int(const nlohmann::json& value, std::string_view what);
double as_number(const nlohmann::json& value, std::string_view what);
bool as_flag(const nlohmann::json& value, std::string_view what);
std::string as_text(const nlohmann::json& value, std::string_view what);

/// Each element of an array through one of the functions above.
template <typename T>
std::vector<T> as_list(const nlohmann::json& array, std::string_view what,
                       T (*convert)(const nlohmann::json&, std::string_view));

/// InputError: `what` was expected to be `expected`.
[[noreturn]] void wrong_json(std::string_view what, std::string_view expected,
                             const nlohmann::json& found);

template <typename T>
std::vector<T> as_list(const nlohmann::json& array, std::string_view what,
                       T (*convert)(const nlohmann::json&, std::string_view)) {
  if (!array.is_array()) wrong_json(what, "a list", array);
  std::vector<T> values;
  for (const nlohmann::json& item : array) values.push_back(convert(item, what));
  return values;
}

}  // namespace quantc::frontend
