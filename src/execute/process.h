// Runs another program and waits for it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace quantc::execute {

struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal if a signal ended it.
  std::string output;  ///< What it wrote to stdout and stderr, in order.
};

/// Runs `command` (found through PATH) in `folder`. It is killed after `timeout`. InputError if it
/// cannot be started or runs too long.
ProcessResult run_process(const std::vector<std::string>& command,
                          const std::filesystem::path& folder, std::chrono::seconds timeout);

}  // namespace quantc::execute
