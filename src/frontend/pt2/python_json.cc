#include "frontend/pt2/python_json.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.h"

namespace quantc::frontend {
namespace {

constexpr std::array<std::string_view, 3> kBareWords = {"-Infinity", "Infinity", "NaN"};
constexpr std::size_t kMaxShown = 60;

// The end of the string that begins at `begin`, behind its closing quote.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::string_view bare_word_at(std::string_view text, std::size_t at) {
  for (const std::string_view word : kBareWords) {
    if (text.substr(at).starts_with(word)) return word;
  }
  return {};
}

std::string with_quoted_words(std::string_view text) {
  std::string quoted;
  quoted.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t end = end_of_string(text, at);
      quoted += text.substr(at, end - at);
      at = end;
    } else if (const std::string_view word = bare_word_at(text, at); !word.empty()) {
      quoted += fmt::format("\"{}\"", word);
      at += word.size();
    } else {
      quoted += text[at++];
    }
  }
  return quoted;
}

}  // namespace

nlohmann::json parse_python_json(std::string_view text) {
  try {
    return nlohmann::json::parse(with_quoted_words(text));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("expected JSON: {}", error.what()));
  }
}

void wrong_json(std::string_view what, std::string_view expected, const nlohmann::json& found) {
  std::string shown = found.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (shown.size() > kMaxShown) shown = shown.substr(0, kMaxShown) + "...";
  throw InputError(fmt::format("{}: expected {}, found {}", what, expected, shown));
}

const nlohmann::json* find_member(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) wrong_json(key, "an object that has it", object);
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const nlohmann::json& member(const nlohmann::json& object, const char* key) {
  const nlohmann::json* found = find_member(object, key);
  if (found == nullptr) throw InputError(fmt::format("expected the member {}, found none", key));
  return *found;
}

const nlohmann::json& array_member(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = member(object, key);
  if (!value.is_array()) wrong_json(key, "a list", value);
  return value;
}

const nlohmann::json& object_member(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = member(object, key);
  if (!value.is_object()) wrong_json(key, "an object", value);
  return value;
}

std::string text_member(const nlohmann::json& object, const char* key) {
  return as_text(member(object, key), key);
}

std::int64_t int_member(const nlohmann::json& object, const char* key) {
  return as_int(member(object, key), key);
}

std::int64_t as_int(const nlohmann::json& value, std::string_view what) {
  const bool too_large =
      value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!value.is_number_integer() || too_large) wrong_json(what, "an integer", value);
  return value.get<std::int64_t>();
}

double as_number(const nlohmann::json& value, std::string_view what) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value == "Infinity") return kInfinity;
  if (value == "-Infinity") return -kInfinity;
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) wrong_json(what, "a number", value);
  return value.get<double>();
}

bool as_flag(const nlohmann::json& value, std::string_view what) {
  if (!value.is_boolean()) wrong_json(what, "true or false", value);
  return value.get<bool>();
}

std::string as_text(const nlohmann::json& value, std::string_view what) {
  if (!value.is_string()) wrong_json(what, "text", value);
  return value.get<std::string>();
}

}  // namespace quantc::frontend
