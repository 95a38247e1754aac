// Shape rules of matrix products.
#include "ir/shape_rules.h"

namespace quantc::ir::shape_rules {

TensorType infer(const Linear& /*linear*/, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 3);
  const TensorType& x = inputs[0];
  const TensorType& weight = inputs[1];
  require(x.dtype == DType::kFloat32 && !x.shape.empty(), op, "f32 of rank 1 or more", x);
  require(weight.dtype == DType::kFloat32 && weight.shape.size() == 2 &&
              weight.shape[1] == x.shape.back(),
          op, "weight f32[out," + std::to_string(x.shape.back()) + "]", weight);
  require_bias(op, inputs, weight.shape[0]);
  Shape shape = x.shape;
  shape.back() = weight.shape[0];
  return {DType::kFloat32, shape};
}

TensorType infer(const Matmul& /*matmul*/, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 2);
  const TensorType& a = inputs[0];
  const TensorType& b = inputs[1];
  for (const TensorType& input : inputs) {
    require(input.dtype == DType::kFloat32 && input.shape.size() >= 2, op, "f32 of rank 2 or more",
            input);
  }
  const std::int64_t inner = a.shape.back();
  require(b.shape.end()[-2] == inner, op, "a second operand [...," + std::to_string(inner) + ",n]",
          b);
  Shape shape = broadcast(op, Shape(a.shape.begin(), a.shape.end() - 2),
                          Shape(b.shape.begin(), b.shape.end() - 2));
  shape.insert(shape.end(), {a.shape.end()[-2], b.shape.back()});
  return {DType::kFloat32, shape};
}

}  // namespace quantc::ir::shape_rules
