// Normalizations and reductions.
#include <array>
#include <numeric>

#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

Operands batch_norm_of_statistics(Call& call) {
  call.require(!call.is_none("running_mean") && !call.is_none("running_var"),
               "running statistics (track_running_stats = True)");
  const Operand mean = call.tensor("running_mean");
  const ir::Shape& channels = call.shape(mean);
  const auto weight = call.optional_tensor("weight");
  const auto bias = call.optional_tensor("bias");
  return {call.emit(
      ir::BatchNorm{call.number("eps")},
      {call.tensor("input"), weight ? *weight : call.filled(".weight", channels, 1),
       bias ? *bias : call.filled(".bias", channels, 0), mean, call.tensor("running_var")})};
}

Operands batch_norm(Call& call) {
  call.require(!call.flag("training"), "training = False; call model.eval() before export");
  return batch_norm_of_statistics(call);
}

Operands layer_norm(Call& call) {
  const ir::Shape normalized = call.integers("normalized_shape");
  const auto weight = call.optional_tensor("weight");
  const auto bias = call.optional_tensor("bias");
  const ir::LayerNorm norm{call.number("eps"), static_cast<std::int64_t>(normalized.size())};
  return {call.emit(norm,
                    {call.tensor("input"), weight ? *weight : call.filled(".weight", normalized, 1),
                     bias ? *bias : call.filled(".bias", normalized, 0)})};
}

Operands softmax_of(Call& call) {
  const Operand x = call.tensor("self");
  return {call.emit(ir::Softmax{call.axis("dim", call.shape(x).size())}, {x})};
}

Operands softmax(Call& call) {
  call.require(call.is_none("dtype"), "softmax in the type of its input");
  return softmax_of(call);
}

Operands softmax_decomposed(Call& call) {
  call.require(!call.flag("half_to_float"), "softmax in the type of its input");
  return softmax_of(call);
}

// The dimensions to reduce: all if none are named.
std::vector<std::int64_t> axes_of(const Call& call, const Operand& x) {
  const std::size_t rank = call.shape(x).size();
  std::vector<std::int64_t> axes;
  if (!call.is_none("dim")) axes = call.integers("dim");
  if (axes.empty()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  for (std::int64_t& axis : axes) axis = call.normalized_axis(axis, rank);
  return axes;
}

template <typename Op>
Operands reduction(Call& call) {
  call.require(call.is_none("dtype"), "a reduction in the type of its input");
  const Operand x = call.tensor("self");
  const Op op{axes_of(call, x), call.flag("keepdim")};
  return {call.emit(op, {x})};
}

Operands vector_norm(Call& call) {
  call.require(call.number("ord") == 2, "the norm of order 2");
  return reduction<ir::ReduceL2>(call);
}

constexpr auto kOps = std::to_array<AtenOp>({
    {"aten.batch_norm.default",
     "input weight bias running_mean running_var training momentum eps cudnn_enabled", Result::kNew,
     batch_norm},
    {"aten._native_batch_norm_legit_no_training.default",
     "input weight bias running_mean running_var momentum eps", Result::kNew,
     batch_norm_of_statistics},
    {"aten.native_layer_norm.default", "input normalized_shape weight bias eps", Result::kNew,
     layer_norm},
    {"aten._softmax.default", "self dim half_to_float", Result::kNew, softmax_decomposed},
    {"aten.layer_norm.default",
     "input normalized_shape weight=None bias=None eps=1e-05 cudnn_enable=True", Result::kNew,
     layer_norm},
    {"aten.softmax.int", "self dim dtype=None", Result::kNew, softmax},
    {"aten.mean.dim", "self dim keepdim=False dtype=None", Result::kNew, reduction<ir::Mean>},
    {"aten.linalg_vector_norm.default", "self ord=2 dim=None keepdim=False dtype=None",
     Result::kNew, vector_norm},
});

}  // namespace

std::span<const AtenOp> normalize_ops() { return kOps; }

}  // namespace quantc::frontend
