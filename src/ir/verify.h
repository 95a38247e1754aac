// The rules every graph keeps; run after every pass.
#pragma once

#include "ir/graph.h"

namespace quantc::ir {

/// InternalError naming the node or value that breaks a rule: ids in range, one producer for each
/// value, producers before users, names unique and not empty, types as the shape rules infer,
/// usable quantization parameters (finite positive scales, zero points in range), outputs defined.
void verify(const Graph& graph);

}  // namespace quantc::ir
