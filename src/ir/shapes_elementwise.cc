// Shape rules of ops that map each element, quantization included.
#include "ir/shape_rules.h"

namespace quantc::ir::shape_rules {

TensorType infer_unary(const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  require_float(op, inputs[0]);
  return inputs[0];
}

TensorType infer_binary(const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 2, 2);
  for (const TensorType& input : inputs) require_float(op, input);
  return {DType::kFloat32, broadcast(op, inputs[0].shape, inputs[1].shape)};
}

TensorType infer(const Clip& clip, const Op& op, const Types& inputs) {
  if (!(clip.min <= clip.max)) {
    refuse(op, "min <= max", std::to_string(clip.min) + " and " + std::to_string(clip.max));
  }
  return infer_unary(op, inputs);
}

TensorType infer(const Quantize& quantize, const Op& op, const Types& inputs) {
  TensorType type = infer_unary(op, inputs);
  type.dtype = quantize.params.dtype;
  return type;
}

TensorType infer(const Dequantize& dequantize, const Op& op, const Types& inputs) {
  require_input_count(op, inputs, 1, 1);
  require(inputs[0].dtype == dequantize.params.dtype, op,
          std::string(name_of(dequantize.params.dtype)), inputs[0]);
  return {DType::kFloat32, inputs[0].shape};
}

}  // namespace quantc::ir::shape_rules
