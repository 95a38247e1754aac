#include "lower/program_builder.h"

#include "base/error.h"

namespace quantc::lower {
namespace {

Layout layout_of(const ir::Shape& sizes, Order order) {
  const auto make = order == Order::kChannelsLast ? nhwc : planar;
  return make(to_i32(sizes[0]), to_i32(sizes[1]), to_i32(sizes[2]), to_i32(sizes[3]));
}

bool has_order(const Layout& layout, Order order) {
  switch (order) {
    case Order::kChannelsLast:
      return has_contiguous_channels(layout);
    case Order::kPlanar:
      return is_dense_planar(layout);
    default:
      return true;
  }
}

// Shapes of lower rank are images whose last sizes are 1.
ir::Shape image_sizes(const ir::Shape& shape) {
  if (shape.size() > 4 || shape.empty()) {
    throw UnsupportedError("expected a tensor of rank 1 to 4, found " + ir::to_string(shape));
  }
  ir::Shape sizes = shape;
  sizes.resize(4, 1);
  return sizes;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const ir::Graph& graph, const LayoutPlan& plan)
    : graph_(graph), plan_(plan) {
  program_.name = graph.name;
}

void ProgramBuilder::add_input(ir::ValueId input) {
  const Layout layout = layout_of(image_sizes(graph_.value(input).type.shape), Order::kPlanar);
  inputs_[input] = add_tensor(input, layout, Space::kInput, ir::DType::kFloat32);
  program_.inputs.push_back(inputs_[input]);
}

void ProgramBuilder::add_output(ir::ValueId output, const ir::Shape& sizes) {
  outputs_[output] =
      add_tensor(output, layout_of(sizes, Order::kPlanar), Space::kOutput, ir::DType::kFloat32);
  program_.outputs.push_back(outputs_[output]);
}

TensorRef ProgramBuilder::place(ir::ValueId value, Order written) {
  if (const auto known = tensors_.find(value); known != tensors_.end()) return known->second;
  if (const auto slice = plan_.slices.find(value); slice != plan_.slices.end()) {
    const TensorRef whole = place(slice->second.whole, Order::kAny);
    const Order order = orders_.at(slice->second.whole);
    if (written == Order::kAny || written == order) {
      orders_[value] = order;
      return tensors_[value] = narrowed(whole, value, slice->second.first_channel);
    }
  }
  const Order order = written != Order::kAny ? written : plan_.wanted.at(value);
  orders_[value] = order;
  return tensors_[value] = add_tensor(value, layout_of(plan_.sizes.at(value), order), Space::kArena,
                                      ir::DType::kInt8);
}

TensorRef ProgramBuilder::read(ir::ValueId value, Order order) {
  const TensorRef& tensor = tensors_.at(value);
  if (has_order(tensor.layout, order)) return tensor;
  const auto key = std::pair(value, order);
  if (const auto copy = copies_.find(key); copy != copies_.end()) return copy->second;
  TensorRef copy =
      add_tensor(value, layout_of(plan_.sizes.at(value), order), Space::kArena, ir::DType::kInt8);
  add_call({.layer = tensor.value + " as " + (order == Order::kPlanar ? "planar" : "nhwc"),
            .kernel = CopyI8{},
            .inputs = {tensor},
            .output = copy});
  return copies_[key] = copy;
}

void ProgramBuilder::alias(ir::ValueId value, ir::ValueId source) {
  TensorRef tensor = tensors_.at(source);
  tensor.value = graph_.value(value).name;
  tensors_[value] = tensor;
  orders_[value] = orders_.at(source);
}

TensorRef ProgramBuilder::narrowed(const TensorRef& whole, ir::ValueId value,
                                   std::int64_t first_channel) const {
  TensorRef part = whole;
  part.layout.c = to_i32(plan_.sizes.at(value)[1]);
  part.offset += first_channel * whole.layout.c_stride;
  part.value = graph_.value(value).name;
  return part;
}

TensorRef ProgramBuilder::constant_operand(ir::ValueId value, std::size_t rank) {
  const ir::Tensor& tensor = graph_.value(value).constant.value();
  ir::Shape shape = tensor.shape();
  if (shape.size() < rank) shape.insert(shape.begin(), rank - shape.size(), 1);
  TensorRef operand = add_tensor(value, layout_of(image_sizes(shape), Order::kPlanar),
                                 Space::kConstant, tensor.dtype());
  program_.buffers.back().constant = add_constant(operand.value, tensor);
  return operand;
}

ConstantId ProgramBuilder::add_constant(const std::string& name, ir::Tensor tensor) {
  program_.constants.push_back({name, std::move(tensor)});
  return static_cast<ConstantId>(program_.constants.size() - 1);
}

BufferId ProgramBuilder::add_scratch(const std::string& layer, std::size_t bytes) {
  if (bytes == 0) return -1;
  return add_buffer(layer + ".scratch", Space::kArena, static_cast<std::int64_t>(bytes));
}

Program ProgramBuilder::take() {
  verify(program_);
  return std::move(program_);
}

BufferId ProgramBuilder::add_buffer(const std::string& name, Space space, std::int64_t bytes) {
  program_.buffers.push_back({name, space, bytes});
  return static_cast<BufferId>(program_.buffers.size() - 1);
}

TensorRef ProgramBuilder::add_tensor(ir::ValueId value, const Layout& layout, Space space,
                                     ir::DType dtype) {
  const std::string& name = graph_.value(value).name;
  const auto bytes = layout.elements() * static_cast<std::int64_t>(ir::size_of(dtype));
  return {add_buffer(name, space, bytes), 0, dtype, layout, name, 0};
}

}  // namespace quantc::lower
