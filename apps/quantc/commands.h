// The subcommands of quantc: each adds itself to the command line and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace quantc::cli {

/// Exit codes.
constexpr int kPassed = 0;
constexpr int kCaseFailed = 1;
constexpr int kBadInput = 2;

/// Runs a parsed subcommand; returns an exit code.
using Command = std::function<int()>;

Command add_models(CLI::App& app);
Command add_compile(CLI::App& app);
Command add_run(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_inspect(CLI::App& app);
Command add_synth(CLI::App& app);
Command add_check_weights(CLI::App& app);

}  // namespace quantc::cli
