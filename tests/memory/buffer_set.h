// Buffers with sizes and lifetimes, as a program whose calls use them.
#pragma once

#include <cstdint>
#include <vector>

#include "lower/program.h"

namespace quantc::memory {

/// A buffer that calls first and last use, and no call outside of them.
struct BufferSpec {
  std::int64_t bytes = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Buffer i of the program is row i. The calls use them as output, scratch or input; the program
/// has no kernels worth running.
lower::Program program_of(const std::vector<BufferSpec>& buffers);

/// Bytes as the planner counts them: buffers start at multiples of 64.
std::int64_t rounded(std::int64_t bytes);

/// The most rounded bytes that live during one call, summed call by call.
std::int64_t most_alive(const std::vector<BufferSpec>& buffers);

}  // namespace quantc::memory
