// A line on stderr that is overwritten, for people who wait at a terminal.
#pragma once

#include <chrono>
#include <string>

namespace quantc::cli {

/// Shows nothing where stderr is no terminal, nor in the first half second.
class ProgressLine {
 public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(const std::string& step);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(500);
  bool shown_ = false;
};

}  // namespace quantc::cli
