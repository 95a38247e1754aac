// Shape rules: the type of a node's output from the types of its inputs.
#pragma once

#include <vector>

#include "ir/graph.h"
#include "ir/ops.h"

namespace quantc::ir {

/// The output type of `op` on `inputs`, as PyTorch defines it. UnsupportedError naming op, expected
/// and found if the inputs do not fit (rank, channels, element type, number of inputs), an
/// attribute is out of range, or an input or the output would be empty or too large to index.
TensorType infer_type(const Op& op, const std::vector<TensorType>& inputs);

/// Output size of a pooling window along one dimension, as PyTorch computes it: with ceil_mode the
/// last window must start inside the input or the leading padding.
std::int64_t pooled_size(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                         std::int64_t pad_begin, std::int64_t pad_end, std::int64_t dilation,
                         bool ceil_mode);

}  // namespace quantc::ir
