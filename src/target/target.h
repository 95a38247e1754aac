// The target string: `c_static -mcpu=c7x -mmalib=1 -mmalib-rounding=half-up`.
#pragma once

#include <string>
#include <string_view>

namespace quantc::target {

/// What to generate code for.
struct Target {
  std::string mcpu = "c7x";       ///< c7x (host emulation) or native.
  bool mmalib = false;            ///< Offload eligible layers to the MMALIB kernels.
  bool mmalib_truncates = false;  ///< Those kernels truncate instead of rounding half up.
  bool operator==(const Target&) const = default;
};

/// InputError naming the word that is not known, and the known ones.
Target parse_target(std::string_view text);

/// The inverse of parse_target.
std::string to_string(const Target& target);

}  // namespace quantc::target
