// Which part of a tensor's values is worth quantizing: from a histogram to a range.
#pragma once

#include <cstddef>
#include <span>

#include "quantize/histogram.h"

namespace quantc::quantize {

/// PyTorch's HistogramObserver: both tails shrink by steps of 1e-5 of the mass; the side that skips
/// more bins moves, until the L2 error grows.
Range pytorch_range(const Histogram& histogram);

/// All but 1e-4 of the mass, half of it on either side.
Range percentile_range(const Histogram& histogram);

/// Of the ranges cut by steps of 1/128 on either side, the one with the least L2 error.
Range least_squares_range(const Histogram& histogram);

/// Magnitudes cut where quantizing them loses least information (Kullback-Leibler divergence;
/// Migacz, "8-bit inference with TensorRT", 2017).
Range entropy_range(const Histogram& histogram);

/// How many of these bins of magnitudes to keep so that `levels` levels diverge least; of equals
/// the most. At least `levels`.
std::size_t least_divergence_bins(std::span<const double> counts, std::size_t levels);

}  // namespace quantc::quantize
