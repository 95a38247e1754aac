// The operators that are imported: one row each, in a table for each subject.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend/pt2/call.h"

namespace quantc::frontend {

/// How an operator's result relates to its first argument.
enum class Result {
  kNew,      ///< Memory of its own.
  kAlias,    ///< The same tensor.
  kView,     ///< Shares its memory, or may.
  kInPlace,  ///< The same tensor, which the operator changes.
};

struct AtenOp {
  std::string_view target;     ///< "aten.conv2d.default".
  std::string_view signature;  ///< See parse_signature.
  Result result = Result::kNew;
  /// The results, as many as the call has outputs that are read.
  Operands (*import)(Call& call) = nullptr;
};

std::span<const AtenOp> matrix_ops();       ///< Convolutions, products of matrices, attention.
std::span<const AtenOp> pool_ops();         ///< Pooling and means.
std::span<const AtenOp> normalize_ops();    ///< Batch and layer norm, softmax, norms.
std::span<const AtenOp> elementwise_ops();  ///< Activations and arithmetic.
std::span<const AtenOp> movement_ops();     ///< Shapes, slices, concatenation, no-ops.
std::span<const AtenOp> constant_ops();     ///< Computed at import: masks.
std::span<const AtenOp> quantize_ops();     ///< quantized_decomposed.

/// All of the above.
std::vector<std::span<const AtenOp>> aten_op_tables();

/// The row of a target, or nullptr.
const AtenOp* find_aten_op(std::string_view target);

}  // namespace quantc::frontend
