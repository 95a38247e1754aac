// Runs a sweep: every network on every path and image, each network in a process of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile.h"
#include "sweep/case.h"

namespace quantc::sweep {

struct SweepOptions {
  std::vector<driver::NetworkSource> networks;
  std::vector<bool> mmalib_paths = {false};
  std::vector<std::filesystem::path> images;
  driver::CompileOptions compile;  ///< Its target's mmalib is set by each path.
  bool fail_fast = false;
  int jobs = 1;
};

/// Called as each case ends.
using CaseCallback = std::function<void(const CaseResult&)>;

/// A case for every model, path and image. A network that crashes or throws gives error cases with
/// the reason; it never stops the others, unless fail_fast says so.
std::vector<CaseResult> run_sweep(const SweepOptions& options, const CaseCallback& on_case = {});

}  // namespace quantc::sweep
