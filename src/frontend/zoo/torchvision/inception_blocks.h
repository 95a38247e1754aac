// What GoogLeNet and Inception v3 share.
#pragma once

#include "frontend/zoo/module_builder.h"

namespace quantc::frontend {

/// The image from ImageNet's mean and deviation to mean and deviation 0.5, which the published
/// weights expect: these were trained elsewhere.
ir::ValueId transform_input(ModuleBuilder& b, ir::ValueId image);

/// Convolution `path`.conv without bias, BatchNorm `path`.bn, ReLU.
ir::ValueId basic_conv(ModuleBuilder& b, const std::string& path, ir::ValueId x, ConvConfig config);

}  // namespace quantc::frontend
