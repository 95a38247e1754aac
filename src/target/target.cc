#include "target/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/error.h"

namespace quantc::target {
namespace {

constexpr std::string_view kBackEnd = "c_static";
constexpr std::array<std::string_view, 2> kProcessors = {"c7x", "native"};

struct Option {
  std::string_view prefix;
  void (*apply)(Target& target, const std::string& value);
};

[[noreturn]] void refuse(std::string_view expected, std::string_view found) {
  throw InputError(fmt::format("target: expected {}, found '{}'", expected, found));
}

void set_processor(Target& target, const std::string& value) {
  if (std::find(kProcessors.begin(), kProcessors.end(), value) == kProcessors.end()) {
    refuse(fmt::format("-mcpu= one of {}", fmt::join(kProcessors, ", ")), value);
  }
  target.mcpu = value;
}

void set_mmalib(Target& target, const std::string& value) {
  if (value != "0" && value != "1") refuse("-mmalib=0 or -mmalib=1", value);
  target.mmalib = value == "1";
}

void set_rounding(Target& target, const std::string& value) {
  if (value != "half-up" && value != "truncate") {
    refuse("-mmalib-rounding=half-up or -mmalib-rounding=truncate", value);
  }
  target.mmalib_truncates = value == "truncate";
}

constexpr std::array<Option, 3> kOptions = {
    {{"-mcpu=", set_processor}, {"-mmalib=", set_mmalib}, {"-mmalib-rounding=", set_rounding}}};

void apply_option(Target& target, const std::string& word) {
  for (const Option& option : kOptions) {
    if (!word.starts_with(option.prefix)) continue;
    option.apply(target, word.substr(option.prefix.size()));
    return;
  }
  refuse("an option -mcpu=, -mmalib= or -mmalib-rounding=", word);
}

}  // namespace

Target parse_target(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string word;
  words >> word;
  if (word != kBackEnd) refuse("c_static first", word);
  Target target;
  while (words >> word) apply_option(target, word);
  return target;
}

std::string to_string(const Target& target) {
  return fmt::format("{} -mcpu={} -mmalib={}{}", kBackEnd, target.mcpu, target.mmalib ? 1 : 0,
                     target.mmalib_truncates ? " -mmalib-rounding=truncate" : "");
}

}  // namespace quantc::target
