// The layer judgement: every compiled layer, fed with the reference's own quantized inputs, against
// the reference's quantized output.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/compile.h"
#include "ir/tensor.h"

namespace quantc::sweep {

struct LayerDifference {
  std::string layer;
  std::string kernel;
  bool offloaded = false;
  std::int64_t elements = 0;
  std::int64_t differing = 0;
  double explained_share = 0;  ///< By constants that the kernel cannot represent.
  std::int64_t max_lsb = 0;    ///< Float outputs: in units of 1e-3 of the largest magnitude.
  double share() const {
    return elements == 0 ? 0 : static_cast<double>(differing) / static_cast<double>(elements);
  }
};

/// One entry a kernel call. `folder` holds the built artifact.
std::vector<LayerDifference> judge_layers(const driver::CompiledModel& compiled,
                                          const std::filesystem::path& folder,
                                          const ir::Tensor& input);

/// Shares of differing codes that the reference's float32 sums explain; a layer's explained_share
/// comes on top.
struct LayerBounds {
  std::int64_t most_lsb = 1;
  double share_generic = 1e-3;
  double share_offloaded = 2e-3;
};

/// Nothing if every layer is within the bounds, else the first that is not, and why.
std::string layer_fault(const std::vector<LayerDifference>& layers, const LayerBounds& bounds = {});

}  // namespace quantc::sweep
