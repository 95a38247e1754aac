// Shape rules of ops that move, repeat or rename elements.
#include <algorithm>
#include <numeric>

#include "ir/shape_rules.h"

namespace quantc::ir::shape_rules {

TensorType infer(const Flatten& flatten, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  require_axis(op, "start_dim", flatten.start_dim, x);
  const auto split = x.shape.begin() + flatten.start_dim;
  Shape shape(x.shape.begin(), split);
  shape.push_back(element_count(Shape(split, x.shape.end())));
  return {x.dtype, shape};
}

TensorType infer(const Reshape& reshape, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  Shape shape = reshape.shape;
  const auto unknown = std::find(shape.begin(), shape.end(), -1);
  if (unknown != shape.end()) {
    *unknown = 1;
    const std::int64_t known = element_count(shape);
    *unknown = known > 0 ? x.elements() / known : 0;
  }
  const bool sizes_valid = std::all_of(shape.begin(), shape.end(), [](auto n) { return n > 0; });
  require(sizes_valid && element_count(shape) == x.elements(), op,
          "a tensor that fills " + to_string(reshape.shape), x);
  return {x.dtype, shape};
}

TensorType infer(const Transpose& transpose, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  std::vector<std::int64_t> identity(x.shape.size());
  std::iota(identity.begin(), identity.end(), 0);
  require(std::is_permutation(identity.begin(), identity.end(), transpose.perm.begin(),
                              transpose.perm.end()),
          op, "a tensor whose dimensions " + to_string(transpose.perm) + " permutes", x);
  TensorType y{x.dtype, {}};
  for (const std::int64_t from : transpose.perm)
    y.shape.push_back(x.shape[static_cast<std::size_t>(from)]);
  return y;
}

TensorType infer(const Slice& slice, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  TensorType y = inputs[0];
  require_axis(op, "axis", slice.axis, y);
  require_at_least(op, "step", 1, slice.step);
  std::int64_t& size = y.shape[static_cast<std::size_t>(slice.axis)];
  if (slice.start < 0 || slice.start >= slice.end || slice.end > size) {
    refuse(op, "0 <= start < end <= " + std::to_string(size),
           "start " + std::to_string(slice.start) + " and end " + std::to_string(slice.end));
  }
  size = (slice.end - slice.start - 1) / slice.step + 1;
  return y;
}

TensorType infer(const Pad& pad, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  TensorType y = inputs[0];
  require_float(op, y);
  require(pad.before.size() == y.shape.size() && pad.after.size() == y.shape.size(), op,
          "a tensor of as many dimensions as before = " + to_string(pad.before) +
              " and after = " + to_string(pad.after),
          y);
  for (std::size_t i = 0; i < y.shape.size(); ++i) {
    for (const std::int64_t added : {pad.before[i], pad.after[i]}) {
      require_at_least(op, "padding", 0, added);
      y.shape[i] += added;
    }
  }
  return y;
}

TensorType infer(const Expand& expand, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  const TensorType& x = inputs[0];
  require(broadcast(op, x.shape, expand.shape) == expand.shape, op,
          "a tensor that broadcasts to " + to_string(expand.shape), x);
  return {x.dtype, expand.shape};
}

TensorType infer(const Gather& gather, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 2);
  const TensorType& x = inputs[0];
  const TensorType& indices = inputs[1];
  require_axis(op, "axis", gather.axis, x);
  require(indices.dtype == DType::kInt32 || indices.dtype == DType::kInt64, op,
          "indices of i32 or i64", indices);
  const auto axis = x.shape.begin() + gather.axis;
  Shape shape(x.shape.begin(), axis);
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), axis + 1, x.shape.end());
  return {x.dtype, shape};
}

TensorType infer(const Concat& concat, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1000000);
  TensorType joined = inputs[0];
  require_axis(op, "axis", concat.axis, joined);
  const auto axis = static_cast<std::size_t>(concat.axis);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    TensorType expected = joined;
    if (axis < inputs[i].shape.size()) expected.shape[axis] = inputs[i].shape[axis];
    require(inputs[i] == expected, op, to_string(expected), inputs[i]);
    joined.shape[axis] += inputs[i].shape[axis];
  }
  return joined;
}

}  // namespace quantc::ir::shape_rules
