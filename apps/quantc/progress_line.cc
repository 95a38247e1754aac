#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace quantc::cli {

void ProgressLine::show(const std::string& step) {
  constexpr std::chrono::milliseconds kPeriod(100);
  if (::isatty(STDERR_FILENO) == 0 || Clock::now() < next_) return;
  fmt::print(stderr, "\r\x1b[K{}", step);
  std::fflush(stderr);
  shown_ = true;
  next_ = Clock::now() + kPeriod;
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace quantc::cli
