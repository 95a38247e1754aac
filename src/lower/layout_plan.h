// Decisions that are made for the whole graph before any call is written: which kernel family runs
// each convolution, in which order the elements of each tensor are wanted, and which tensors are
// written straight into a slice of a concatenation.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ir/graph.h"
#include "lower/conv_operands.h"
#include "lower/fusion.h"
#include "target/target.h"

namespace quantc::lower {

/// Element order of a tensor.
enum class Order : std::uint8_t { kAny, kChannelsLast, kPlanar };

/// How one convolution or linear layer runs.
struct ConvPlan {
  ConvOperands operands;
  std::optional<MmaOperands> mma;  ///< Set if it runs on MMALIB.
  std::string not_offloaded;       ///< Why it does not, where MMALIB was asked for.
};

/// The part of a concatenation that a tensor is.
struct Slice {
  ir::ValueId whole = -1;
  std::int64_t first_channel = 0;
};

struct LayoutPlan {
  std::vector<std::optional<ConvPlan>> convs;  ///< For each fused op.
  std::map<ir::ValueId, ir::Shape> sizes;      ///< [N,C,H,W] of each tensor in memory.
  std::map<ir::ValueId, Order> wanted;         ///< Never kAny.
  std::map<ir::ValueId, Slice> slices;
};

LayoutPlan plan_layouts(const ir::Graph& graph, const std::vector<FusedOp>& fused,
                        const target::Target& target);

}  // namespace quantc::lower
