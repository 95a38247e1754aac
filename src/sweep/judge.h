// The three judgements on one compiled network: contract, layers, network.
#pragma once

#include <filesystem>
#include <vector>

#include "driver/compile.h"
#include "sweep/case.h"

namespace quantc::sweep {

/// Compiles the network, builds it twice (optimized with a planned arena; plain, poisoned, without
/// buffer reuse), and judges every image. Works in a temporary folder.
std::vector<CaseResult> judge_model(const driver::NetworkSource& network,
                                    const driver::CompileOptions& options,
                                    const std::vector<std::filesystem::path>& images);

/// The cases of a network before anything is known.
std::vector<CaseResult> blank_cases(const driver::NetworkSource& network,
                                    const driver::CompileOptions& options,
                                    const std::vector<std::filesystem::path>& images);

}  // namespace quantc::sweep
