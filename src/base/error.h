// The one family of exceptions. An error says where, what was expected, what was found and what the
// user can do, in that order, in one line: `model.pth: conv1.weight: expected shape [64,3,7,7],
// found [64,3,3,3]; check that the file belongs to this model`.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace quantc {

/// Base of every exception that quantc throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller named something that does not exist or does not fit: a file, an option, a model.
/// The command line ends with exit code 2.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The model asks for what quantc cannot do; the message names the row or rule to extend.
class UnsupportedError : public Error {
 public:
  using Error::Error;
};

/// quantc broke one of its own rules: a bug to report.
class InternalError : public Error {
 public:
  using Error::Error;
};

/// Runs `body`; an error that leaves it gets `where` (a file, a layer) in front, its type kept.
template <typename Body>
decltype(auto) with_context(std::string_view where, Body&& body) {
  const auto prefixed = [&](const Error& error) {
    return std::string(where) + ": " + error.what();
  };
  try {
    return std::forward<Body>(body)();
  } catch (const InputError& error) {
    throw InputError(prefixed(error));
  } catch (const UnsupportedError& error) {
    throw UnsupportedError(prefixed(error));
  } catch (const InternalError& error) {
    throw InternalError(prefixed(error));
  }
}

}  // namespace quantc
