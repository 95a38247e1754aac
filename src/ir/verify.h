// The rules every graph keeps; run after every pass.
#pragma once

#include "ir/graph.h"

namespace quantc::ir {

/// InternalError naming the node or value that breaks a rule: ids in range, one producer for each
/// value, producers before users, names unique and not empty, types as the shape rules infer,
/// usable quantization parameters (codes of i8, u8, i16 or i32, a range that fits them, one scale
/// and zero point for the tensor or for each index along the axis, finite positive scales, zero
/// points in range), outputs defined.
void verify(const Graph& graph);

}  // namespace quantc::ir
