// The description of a tensor, which stands both in programs and next to weights.
#pragma once

#include <nlohmann/json.hpp>

#include "frontend/pt2/program.h"

namespace quantc::frontend {

/// InputError naming the member that is missing or wrong.
TensorMeta parse_tensor_meta(const nlohmann::json& json);

/// The sizes as a shape; UnsupportedError with a hint if one is symbolic.
ir::Shape static_shape(const TensorMeta& meta);

}  // namespace quantc::frontend
