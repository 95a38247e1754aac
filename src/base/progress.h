// What a long computation says while it runs.
#pragma once

#include <functional>
#include <string>

namespace quantc {

/// Called with one short line, such as "calibration: picture 3 of 8", before each step.
using Progress = std::function<void(const std::string& step)>;

inline void silent(const std::string& /*step*/) {}

}  // namespace quantc
