// The conversion of other float types to what networks are built of.
#pragma once

#include "ir/tensor.h"

namespace quantc::frontend {

/// The tensor as float32: itself if it is, widened or narrowed if it is another float type.
/// UnsupportedError if it is none.
ir::Tensor as_float32(const ir::Tensor& tensor);

}  // namespace quantc::frontend
