// Offsets of a program's buffers in one arena.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lower/program.h"

namespace quantc::memory {

/// Calls [first, last] during which a buffer's bytes must not change hands.
struct Lifetime {
  std::int64_t first = -1;  ///< -1: never used.
  std::int64_t last = -1;
};

struct Plan {
  std::vector<std::int64_t> offsets;  ///< Of each arena buffer; -1 for inputs and outputs.
  std::int64_t arena_bytes = 0;       ///< End of the highest buffer, aligned.
  std::int64_t lower_bound = 0;  ///< The most bytes that are alive at once: no plan needs less.
};

struct PlanOptions {
  bool reuse = true;  ///< Else every buffer has bytes of its own.
};

/// From the first call that writes a buffer to the last that uses it.
std::vector<Lifetime> lifetimes(const lower::Program& program);

/// Places the buffers, aligned to 64 bytes; validated before it is returned.
Plan plan_arena(const lower::Program& program, const PlanOptions& options = {});

/// InternalError naming two buffers that share bytes while both are alive, one without a place or
/// off the alignment, or a size of the arena or a lower bound that is wrong. Checks every pair, and
/// trusts nothing the planner kept.
void validate(const lower::Program& program, const Plan& plan);

}  // namespace quantc::memory
