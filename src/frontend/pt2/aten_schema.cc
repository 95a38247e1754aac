#include "frontend/pt2/aten_schema.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/error.h"

namespace quantc::frontend {
namespace {

[[noreturn]] void bad_default(std::string_view text) {
  throw InternalError(fmt::format("expected the default of a parameter, found {}", text));
}

template <typename Number>
Number number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) bad_default(text);
  return number;
}

std::vector<std::int64_t> integers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    numbers.push_back(number_in<std::int64_t>(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return numbers;
}

Argument default_in(std::string_view text) {
  if (text.empty()) bad_default("nothing");
  if (text == "None") return std::monostate();
  if (text == "True") return true;
  if (text == "False") return false;
  if (text.front() == '\'') return std::string(text.substr(1, text.size() - 2));
  if (text.front() == '[') return integers_in(text.substr(1, text.size() - 2));
  if (text.find_first_of(".e") != std::string_view::npos) return number_in<double>(text);
  return number_in<std::int64_t>(text);
}

// The parameter that an argument is for.
const Parameter& parameter_of(const std::vector<Parameter>& parameters,
                              const NamedArgument& argument, std::size_t position) {
  if (argument.name.empty() && position < parameters.size()) return parameters[position];
  for (const Parameter& parameter : parameters) {
    if (parameter.name == argument.name) return parameter;
  }
  throw UnsupportedError(fmt::format("the argument {} is not known", argument.name.empty()
                                                                         ? std::to_string(position)
                                                                         : argument.name));
}

}  // namespace

std::vector<Parameter> parse_signature(std::string_view signature) {
  std::vector<Parameter> parameters;
  while (!signature.empty()) {
    const std::size_t end = std::min(signature.find(' '), signature.size());
    const std::string_view item = signature.substr(0, end);
    signature.remove_prefix(std::min(end + 1, signature.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      parameters.push_back({std::string(item), std::nullopt});
    } else {
      parameters.push_back(
          {std::string(item.substr(0, equals)), default_in(item.substr(equals + 1))});
    }
  }
  return parameters;
}

BoundArguments bind(const std::vector<Parameter>& parameters,
                    const std::vector<NamedArgument>& arguments) {
  BoundArguments bound;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = parameter_of(parameters, arguments[i], i).name;
    if (!bound.emplace(name, arguments[i].value).second) {
      throw InputError(fmt::format("the argument {} is given twice", name));
    }
  }
  for (const Parameter& parameter : parameters) {
    if (bound.contains(parameter.name)) continue;
    if (!parameter.default_value) {
      throw InputError(fmt::format("the argument {} is missing", parameter.name));
    }
    bound.emplace(parameter.name, *parameter.default_value);
  }
  return bound;
}

}  // namespace quantc::frontend
