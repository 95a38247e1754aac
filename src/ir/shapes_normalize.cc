// Shape rules of normalizations and reductions.
#include <vector>

#include "ir/shape_rules.h"

namespace quantc::ir::shape_rules {
namespace {

template <typename Reduction>
TensorType infer_reduction(const Reduction& reduction, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  require_float(op, x);
  if (reduction.axes.empty()) refuse(op, "one axis or more", "none");
  std::vector<bool> reduced(x.shape.size());
  for (const std::int64_t axis : reduction.axes) {
    require_axis(op, "axis", axis, x);
    const auto at = static_cast<std::size_t>(axis);
    if (reduced[at]) refuse(op, "distinct axes", to_string(reduction.axes));
    reduced[at] = true;
  }
  TensorType y{DType::kFloat32, {}};
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (!reduced[i]) y.shape.push_back(x.shape[i]);
    if (reduced[i] && reduction.keepdim) y.shape.push_back(1);
  }
  return y;
}

}  // namespace

TensorType infer(const BatchNorm& /*norm*/, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 5, 5);
  const TensorType& x = inputs[0];
  require(x.dtype == DType::kFloat32 && x.shape.size() >= 2, op, "f32 of rank 2 or more", x);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    require(inputs[i] == TensorType{DType::kFloat32, {x.shape[1]}}, op,
            "f32[" + std::to_string(x.shape[1]) + "]", inputs[i]);
  }
  return x;
}

TensorType infer(const LayerNorm& norm, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 3, 3);
  const TensorType& x = inputs[0];
  require_float(op, x);
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  require(norm.normalized_dims >= 1 && norm.normalized_dims <= rank, op,
          "a rank of at least normalized_dims = " + std::to_string(norm.normalized_dims) +
              ", which is 1 or more",
          x);
  const TensorType expected{DType::kFloat32,
                            Shape(x.shape.end() - norm.normalized_dims, x.shape.end())};
  for (const std::size_t i : {1, 2}) {
    require(inputs[i] == expected, op,
            std::string(i == 1 ? "weight " : "bias ") + to_string(expected), inputs[i]);
  }
  return x;
}

TensorType infer(const Softmax& softmax, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  require_float(op, inputs[0]);
  require_axis(op, "axis", softmax.axis, inputs[0]);
  return inputs[0];
}

TensorType infer(const Mean& mean, const Op& op, const Types& inputs) {
  return infer_reduction(mean, op, inputs);
}

TensorType infer(const ReduceL2& norm, const Op& op, const Types& inputs) {
  return infer_reduction(norm, op, inputs);
}

}  // namespace quantc::ir::shape_rules
