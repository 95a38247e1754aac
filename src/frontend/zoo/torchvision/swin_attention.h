// The attention of Swin Transformers within windows, in its two versions.
#pragma once

#include <optional>

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

struct WindowAttention {
  std::int64_t window;
  std::int64_t heads;
  std::optional<ir::ValueId> mask;  ///< Added to the scores.
};

/// Scaled scores with a learned bias for each relative position (Liu et al. 2021), on the windows x
/// [windows,pixels,channels].
ir::ValueId biased_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                             const WindowAttention& config);

/// Scores are cosines times a learned factor, and a small network computes the bias from the
/// relative position (Liu et al. 2022).
ir::ValueId cosine_attention(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                             const WindowAttention& config);

}  // namespace quantc::frontend
