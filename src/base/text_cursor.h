// Reads one line of a text form from left to right.
#pragma once

#include <string>
#include <string_view>

namespace quantc {

/// `text` in double quotes, with ", \ and line feeds escaped.
std::string quote(std::string_view text);

/// Every function but `fail` skips spaces first. Errors are InputErrors that say what was expected
/// and what stands there instead.
class TextCursor {
 public:
  explicit TextCursor(std::string_view line) : rest_(line) {}

  [[noreturn]] void fail(const std::string& expected) const;

  /// Steps over `token` if it comes next.
  bool accept(std::string_view token);
  void expect(std::string_view token);

  /// Everything up to one of `stops`, without spaces around it; must not be empty.
  std::string until(std::string_view stops);

  /// What quote() wrote, as it was.
  std::string quoted();

  std::string remainder();
  bool at_end();

 protected:
  void skip_spaces();
  std::string_view rest_;
};

}  // namespace quantc
