#include "base/text_cursor.h"

#include <algorithm>

#include "base/error.h"

namespace quantc {

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? "\\n" : std::string(1, c);
  }
  return quoted + "\"";
}

void TextCursor::fail(const std::string& expected) const {
  throw InputError("expected " + expected + ", found '" + std::string(rest_) + "'");
}

bool TextCursor::accept(std::string_view token) {
  skip_spaces();
  if (!rest_.starts_with(token)) return false;
  rest_.remove_prefix(token.size());
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) fail("'" + std::string(token) + "'");
}

std::string TextCursor::until(std::string_view stops) {
  skip_spaces();
  const std::size_t end = std::min(rest_.find_first_of(stops), rest_.size());
  std::string token(rest_.substr(0, end));
  rest_.remove_prefix(end);
  while (!token.empty() && token.back() == ' ') token.pop_back();
  if (token.empty()) fail("a name");
  return token;
}

std::string TextCursor::quoted() {
  expect("\"");
  std::string text;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    if (rest_[i] == '"') {
      rest_.remove_prefix(i + 1);
      return text;
    }
    if (rest_[i] != '\\') {
      text += rest_[i];
    } else if (++i < rest_.size()) {
      text += rest_[i] == 'n' ? '\n' : rest_[i];
    }
  }
  fail("a closing quote");
}

std::string TextCursor::remainder() {
  skip_spaces();
  return std::string(rest_);
}

bool TextCursor::at_end() {
  skip_spaces();
  return rest_.empty();
}

void TextCursor::skip_spaces() {
  while (rest_.starts_with(' ')) rest_.remove_prefix(1);
}

}  // namespace quantc
