// The text form of a program: buffers, constants by type, and a line a call.
#pragma once

#include <string>

#include "lower/program.h"

namespace quantc::lower {

std::string to_text(const Program& program);

}  // namespace quantc::lower
