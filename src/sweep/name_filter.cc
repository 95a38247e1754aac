#include "sweep/name_filter.h"

#include <cctype>
#include <string>

#include "base/error.h"

namespace quantc::sweep {
namespace {

// Every part is evaluated even where the answer is known, so that all of it is read.
class Expression {
 public:
  Expression(std::string_view text, std::string_view name) : rest_(text), name_(name) { advance(); }

  bool evaluate() {
    const bool result = any_of();
    if (!token_.empty()) fail("`and`, `or` or the end");
    return result;
  }

 private:
  bool any_of() {
    bool result = all_of();
    while (accept("or")) result = all_of() || result;
    return result;
  }

  bool all_of() {
    bool result = negated();
    while (accept("and")) result = negated() && result;
    return result;
  }

  bool negated() { return accept("not") ? !negated() : term(); }

  bool term() {
    if (accept("(")) {
      const bool result = any_of();
      if (!accept(")")) fail("`)`");
      return result;
    }
    if (token_.empty() || token_ == ")" || token_ == "and" || token_ == "or") fail("a name");
    const bool result = name_.find(token_) != std::string_view::npos;
    advance();
    return result;
  }

  bool accept(std::string_view token) {
    if (token_ != token) return false;
    advance();
    return true;
  }

  void advance() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length]) && !is_parenthesis(rest_[length])) {
      ++length;
    }
    if (length == 0 && !rest_.empty()) length = 1;
    token_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  static bool is_parenthesis(char c) { return c == '(' || c == ')'; }

  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError("-k: expected " + expected + ", found " +
                     (token_.empty() ? "the end" : "'" + std::string(token_) + "'"));
  }

  std::string_view rest_;
  std::string_view name_;
  std::string_view token_;
};

}  // namespace

bool matches(std::string_view expression, std::string_view name) {
  return Expression(expression, name).evaluate();
}

}  // namespace quantc::sweep
