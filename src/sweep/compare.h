// Comparators: how far one output is from another, and whether that passes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace quantc::sweep {

struct Comparison {
  double sqnr_db = 0;  ///< Signal of the reference over the difference; +inf when equal.
  double cosine = 0;
  double max_diff = 0;
  std::int64_t reference_top1 = -1;  ///< Ties go to the lowest index.
  std::int64_t output_top1 = -1;
  double reference_margin = 0;  ///< Largest minus second largest value of the reference.
  /// Why the two cannot be compared: sizes that differ, empty, not finite, all zero or constant.
  std::string degenerate;
};

Comparison compare(std::span<const float> reference, std::span<const float> output);

/// The index of the largest value, the lowest of equals; -1 if there is none.
std::int64_t top1(std::span<const float> values);

/// What a network's output must satisfy against its Q/DQ reference. Rounding differences compound
/// with depth, so these bounds only tell a working network from a broken one; layers are judged to
/// the LSB.
struct NetworkBounds {
  double least_sqnr_db = 10;
  double least_cosine = 0.95;
};

/// An empty string if the comparison passes, else the reason.
std::string network_fault(const Comparison& comparison, const NetworkBounds& bounds = {});

}  // namespace quantc::sweep
