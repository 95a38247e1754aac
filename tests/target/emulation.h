// A convolution on the emulated MMALIB, and by a loop over every tap.
#pragma once

#include <cstdint>
#include <vector>

#include "qc_types.h"
#include "target/mmalib.h"

namespace quantc::target {

/// The geometry with the output size that its other fields give.
ConvGeometry with_output_size(ConvGeometry g);

struct Convolution {
  qc_status status = 0;
  std::vector<std::int8_t> y;
  std::vector<std::int8_t> expected;  ///< From a loop over every tap.
};

/// Runs small random codes through the library; padding reads 3.
Convolution convolve(const ConvGeometry& g);

}  // namespace quantc::target
