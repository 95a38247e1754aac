// From a QDQ graph to a program of integer kernels.
#pragma once

#include "ir/graph.h"
#include "lower/program.h"
#include "target/target.h"

namespace quantc::lower {

/// Fuses Dequantize-op-Quantize patterns into kernel calls and assigns layouts: NHWC for generic
/// convolutions, planar for MMALIB; other kernels write what their readers want, and a copy stands
/// only where a tensor is read in both. UnsupportedError naming the layer where a pattern has no
/// integer kernel.
Program lower(const ir::Graph& qdq, const target::Target& target);

}  // namespace quantc::lower
