// Executes a graph in float32, as PyTorch does: float graphs, and QDQ graphs whose Quantize and
// Dequantize nodes round as torch's fake quantization does. The judge of compiled code.
#pragma once

#include <functional>
#include <vector>

#include "ir/graph.h"
#include "ir/tensor.h"

namespace quantc::reference {

/// Receives every computed value, graph inputs included, in execution order. The tensor may be kept
/// (it shares its bytes).
using ValueCallback = std::function<void(ir::ValueId, const ir::Tensor&)>;

/// The graph's outputs for these inputs. A value is freed after its last use, so that peak memory
/// is that of the largest live set. InputError if number or type of the inputs differ from the
/// graph's; errors of a node name it.
std::vector<ir::Tensor> execute(const ir::Graph& graph, const std::vector<ir::Tensor>& inputs,
                                const ValueCallback& on_value = {});

/// The output of one op on these tensors. Convolutions and matrix products use oneDNN.
ir::Tensor evaluate(const ir::Op& op, const std::vector<ir::Tensor>& inputs);

}  // namespace quantc::reference
