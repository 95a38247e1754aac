// Squeeze-and-excitation (Hu et al. 2017): weighs the channels by what the whole plane holds.
#pragma once

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

struct SqueezeExcitation {
  std::int64_t squeeze_channels;
  ir::Op activation;
  ir::Op gate = ir::Sigmoid{};
};

/// x times the gate of `path`.fc2 of the activation of `path`.fc1 of the mean of each plane of x.
ir::ValueId squeeze_excitation(ModuleBuilder& b, const std::string& path, ir::ValueId x,
                               const SqueezeExcitation& config);

}  // namespace quantc::frontend
