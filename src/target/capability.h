// Which ops have integer kernels, and in which role: read by the quantizer and by lowering, so that
// one never writes what the other refuses.
#pragma once

#include "ir/ops.h"

namespace quantc::target {

enum class IntegerRole : std::uint8_t {
  kNone,         ///< Float only.
  kWeighted,     ///< Integer weights and bias; int8 or float32 output; absorbs activations.
  kActivation,   ///< A clip: of the layer before, or a table.
  kTable,        ///< Any other function of one code.
  kElementwise,  ///< Int8 operands of any scale; absorbs activations.
  kAverage,      ///< Integer sums; int8 or float32 output.
  kConcat,       ///< Operands share the output's codes or are mapped to them.
  kPassThrough,  ///< The same codes go out that came in.
};

IntegerRole integer_role(const ir::Op& op);

/// True if the role has a kernel that writes float32.
bool can_emit_float(IntegerRole role);

/// True if the role's kernels apply a following activation themselves.
bool absorbs_activation(IntegerRole role);

}  // namespace quantc::target
