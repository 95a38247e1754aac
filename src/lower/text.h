// The text form of a program, printed and parsed; constants are printed by type only and parse as
// zeros.
#pragma once

#include <string>
#include <string_view>

#include "lower/program.h"

namespace quantc::lower {

std::string to_text(const Program& program);

/// The inverse of to_text. InputError with line number, expected and found. The result is verified.
Program parse_program(std::string_view text);

}  // namespace quantc::lower
