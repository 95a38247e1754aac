#include "lower/lower.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "ir/pool_windows.h"
#include "ir/quant_math.h"
#include "lower/fusion.h"
#include "lower/layout_plan.h"
#include "qc_kernels.h"
#include "qc_mmalib.h"
#include "reference/executor.h"

namespace quantc::lower {
namespace {

std::int32_t to_i32(std::int64_t value) {
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    throw UnsupportedError(fmt::format("a size of {} does not fit 32 bits", value));
  }
  return static_cast<std::int32_t>(value);
}

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

// Bounds of the output codes: the quantized range cut by the fused activations. Quantization is
// monotonic, so clipping codes equals quantizing clipped reals.
Requant requant_of(const FusedOp& fused) {
  const ir::QuantParams& y = fused.out_params.value();
  return {y.zero_point.at(0), ir::quantize_value(fused.clip_lo, y),
          ir::quantize_value(fused.clip_hi, y)};
}

class Lowering {
 public:
  Lowering(const ir::Graph& graph, const LowerOptions& options)
      : graph_(graph),
        options_(options),
        fused_(fuse(graph)),
        plan_(plan_layouts(graph, fused_, options)) {}

  Program run() {
    program_.name = graph_.name;
    for (const ir::ValueId input : graph_.inputs) add_graph_input(input);
    reserve_graph_outputs();
    for (std::size_t i = 0; i < fused_.size(); ++i) {
      with_context(fused_[i].layer, [&] { lower_op(fused_[i], plan_.convs[i]); });
    }
    verify(program_);
    return std::move(program_);
  }

 private:
  // ---- Tensors and buffers ----

  BufferId add_buffer(const std::string& name, Space space, std::int64_t bytes) {
    program_.buffers.push_back({name, space, bytes});
    return static_cast<BufferId>(program_.buffers.size() - 1);
  }

  TensorRef add_tensor(ir::ValueId value, const Layout& layout, Space space, ir::DType dtype) {
    const std::string& name = graph_.value(value).name;
    const auto bytes = layout.elements() * static_cast<std::int64_t>(ir::size_of(dtype));
    return {add_buffer(name, space, bytes), 0, dtype, layout, name, 0};
  }

  static ir::Shape sizes_of(const ir::Shape& shape) {
    ir::Shape sizes = shape;
    if (sizes.size() > 4 || sizes.empty()) {
      throw UnsupportedError("expected tensors of rank 1 to 4, found " + ir::to_string(shape));
    }
    while (sizes.size() < 4) sizes.push_back(1);
    return sizes;
  }

  void add_graph_input(ir::ValueId input) {
    const Layout layout = layout_of(sizes_of(graph_.value(input).type.shape), Order::kPlanar);
    inputs_[input] = add_tensor(input, layout, Space::kInput, ir::DType::kFloat32);
    program_.inputs.push_back(inputs_[input]);
  }

  void reserve_graph_outputs() {
    for (const ir::ValueId output : graph_.outputs) {
      for (const FusedOp& fused : fused_) {
        if (fused.output != output || fused.out_params) continue;
        const ir::Shape sizes =
            fused.core ? plan_.sizes.at(output) : plan_.sizes.at(fused.inputs.at(0).id);
        outputs_[output] = add_tensor(output, layout_of(sizes, Order::kPlanar), Space::kOutput,
                                      ir::DType::kFloat32);
        program_.outputs.push_back(outputs_[output]);
      }
    }
    if (program_.outputs.size() != graph_.outputs.size()) {
      throw UnsupportedError(
          "expected every output of the graph to be a float32 result of its own");
    }
  }

  // The memory of an int8 tensor: a slice of the concatenation it belongs to if that has the order
  // its kernel writes, else a buffer of its own.
  TensorRef& place(ir::ValueId value, Order written) {
    if (const auto known = tensors_.find(value); known != tensors_.end()) return known->second;
    if (const auto slice = plan_.slices.find(value); slice != plan_.slices.end()) {
      const TensorRef& whole = place(slice->second.whole, Order::kAny);
      if (written == Order::kAny || written == orders_.at(slice->second.whole)) {
        orders_[value] = orders_.at(slice->second.whole);
        return tensors_[value] = narrowed(whole, value, slice->second.first_channel);
      }
    }
    const Order order = written != Order::kAny ? written : plan_.wanted.at(value);
    orders_[value] = order;
    return tensors_[value] = add_tensor(value, layout_of(plan_.sizes.at(value), order),
                                        Space::kArena, ir::DType::kInt8);
  }

  TensorRef narrowed(const TensorRef& whole, ir::ValueId value, std::int64_t first_channel) const {
    TensorRef part = whole;
    part.layout.c = to_i32(plan_.sizes.at(value)[1]);
    part.offset += first_channel * whole.layout.c_stride;
    part.value = graph_.value(value).name;
    return part;
  }

  // The tensor in an order that a kernel needs; a copy is made once where it has another.
  TensorRef read(ir::ValueId value, Order order) {
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

  ConstantId add_constant(const std::string& name, ir::Tensor tensor) {
    program_.constants.push_back({name, std::move(tensor)});
    return static_cast<ConstantId>(program_.constants.size() - 1);
  }

  void add_call(Call call) { program_.calls.push_back(std::move(call)); }

  BufferId add_scratch(const std::string& layer, std::size_t bytes) {
    return bytes == 0
               ? -1
               : add_buffer(layer + ".scratch", Space::kArena, static_cast<std::int64_t>(bytes));
  }

  // ---- One fused operation ----

  void lower_op(const FusedOp& fused, const std::optional<ConvPlan>& conv) {
    if (fused.float_in) return lower_input(fused);
    if (!fused.core) return lower_unary(fused);
    if (conv) return conv->mma ? lower_mma(fused, *conv) : lower_conv(fused, *conv);
    std::visit([&](const auto& op) { lower_core(op, fused); }, graph_.node(*fused.core).op);
  }

  void lower_input(const FusedOp& fused) {
    if (!fused.out_params || !inputs_.contains(*fused.float_in)) {
      throw UnsupportedError("a float value that nothing computes in integers leaves the graph");
    }
    add_call(
        {.layer = fused.layer,
         .kernel = QuantizeF32{ir::inverse_scale(fused.out_params->scale.at(0)), requant_of(fused)},
         .inputs = {inputs_.at(*fused.float_in)},
         .output = place(fused.output, Order::kAny)});
  }

  void lower_unary(const FusedOp& fused) {
    const QuantizedValue& x = fused.inputs.at(0);
    if (!fused.out_params) {
      require_no_activation(fused);
      add_call({.layer = fused.layer,
                .kernel = DequantizeI8{x.params.scale.at(0), x.params.zero_point.at(0)},
                .inputs = {tensors_.at(x.id)},
                .output = outputs_.at(fused.output)});
      return;
    }
    add_table_call(fused, x, place(fused.output, Order::kAny));
  }

  // y = quantize(activations(dequantize(x))), as a table that the reference computes.
  void add_table_call(const FusedOp& fused, const QuantizedValue& x, const TensorRef& y) {
    std::vector<std::int8_t> codes(256);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
    }
    ir::Tensor table =
        reference::evaluate(ir::Dequantize{x.params}, {ir::Tensor::of({256}, codes)});
    for (const ir::NodeId activation : fused.activations) {
      table = reference::evaluate(graph_.node(activation).op, {table});
    }
    table = reference::evaluate(ir::Quantize{fused.out_params.value()}, {table});
    add_call({.layer = fused.layer,
              .kernel = LutI8{},
              .inputs = {tensors_.at(x.id)},
              .constants = {add_constant(fused.layer + ".table", table)},
              .output = y});
  }

  void lower_conv(const FusedOp& fused, const ConvPlan& conv) {
    const ConvOperands& operands = conv.operands;
    const target::ConvGeometry& g = operands.geometry;
    const ConvShape shape{.kernel_h = to_i32(g.kernel.h),
                          .kernel_w = to_i32(g.kernel.w),
                          .stride_h = to_i32(g.conv.stride.h),
                          .stride_w = to_i32(g.conv.stride.w),
                          .pad_top = to_i32(g.conv.padding.top),
                          .pad_left = to_i32(g.conv.padding.left),
                          .dilation_h = to_i32(g.conv.dilation.h),
                          .dilation_w = to_i32(g.conv.dilation.w),
                          .groups = to_i32(g.conv.groups),
                          .x_zero_point = operands.x_zero_point};
    const ir::Shape channels{g.c_out};
    const float y_scale = fused.out_params ? fused.out_params->scale.at(0) : 1.0F;
    Call call{.layer = fused.layer, .inputs = {read(fused.inputs.at(0).id, Order::kChannelsLast)}};
    call.constants = {add_constant(fused.layer + ".weight", pack_ohwi(operands.weight)),
                      add_constant(fused.layer + ".bias",
                                   ir::Tensor::of(channels, folded_bias(operands, fused.layer))),
                      add_constant(fused.layer + ".multiplier",
                                   ir::Tensor::of(channels, multipliers(operands, y_scale)))};
    call.scratch =
        add_scratch(fused.layer, static_cast<std::size_t>(g.kernel.h * g.kernel.w * g.c_in));
    if (fused.out_params) {
      call.kernel = Conv2dI8{shape, requant_of(fused)};
      call.output = place(fused.output, Order::kChannelsLast);
    } else {
      constexpr float kMost = std::numeric_limits<float>::max();
      call.kernel =
          Conv2dI8F32{shape, {std::max(fused.clip_lo, -kMost), std::min(fused.clip_hi, kMost)}};
      call.output = outputs_.at(fused.output);
    }
    call.macs = ir::mac_count(graph_, graph_.node(*fused.core));
    call.not_offloaded = conv.not_offloaded;
    add_call(std::move(call));
  }

  void lower_mma(const FusedOp& fused, const ConvPlan& conv) {
    const Requant bounds = requant_of(fused);
    const MmaOutput out{options_.mma_truncate, bounds.lo, bounds.hi};
    Call call{.layer = fused.layer, .inputs = {read(fused.inputs.at(0).id, Order::kPlanar)}};
    if (conv.operands.is_linear) {
      fill_mma_fc(fused, conv, out, call);
    } else {
      fill_mma_conv(fused, conv, out, call);
    }
    call.output = place(fused.output, Order::kPlanar);
    call.macs = ir::mac_count(graph_, graph_.node(*fused.core));
    call.multiplier_error = conv.mma->worst_multiplier_error;
    add_call(std::move(call));
  }

  void add_mma_constants(const FusedOp& fused, const ir::Tensor& weight, const MmaOperands& mma,
                         std::int64_t padded, Call& call) {
    const auto channels = [&](auto values) {
      values.resize(static_cast<std::size_t>(padded));
      return ir::Tensor::of({padded}, values);
    };
    // A padded channel's product is discarded, but the library refuses a scale of 0.
    std::vector<std::uint8_t> scale = mma.scale;
    scale.resize(static_cast<std::size_t>(padded), 1);
    call.constants = {add_constant(fused.layer + ".weight", weight),
                      add_constant(fused.layer + ".bias", channels(mma.bias)),
                      add_constant(fused.layer + ".scale", ir::Tensor::of({padded}, scale)),
                      add_constant(fused.layer + ".shift", channels(mma.shift))};
  }

  void fill_mma_fc(const FusedOp& fused, const ConvPlan& conv, const MmaOutput& out, Call& call) {
    const auto padded = [](std::int64_t size) {
      return (size + target::kMmaFcMultiple - 1) / target::kMmaFcMultiple * target::kMmaFcMultiple;
    };
    const std::int64_t n = conv.operands.c_out();
    const std::int64_t k = conv.operands.weight.elements() / n;
    if (conv.operands.geometry.batch != 1) throw UnsupportedError("MMALIB takes batch 1 only");
    call.kernel = MmaFc{to_i32(k), to_i32(n), to_i32(padded(k)), to_i32(padded(n)), out};
    add_mma_constants(fused, pad_matrix(conv.operands.weight, padded(n), padded(k)), *conv.mma,
                      padded(n), call);
    call.scratch = add_scratch(fused.layer, static_cast<std::size_t>(padded(k) + padded(n)));
  }

  void fill_mma_conv(const FusedOp& fused, const ConvPlan& conv, const MmaOutput& out, Call& call) {
    const target::ConvGeometry& g = conv.operands.geometry;
    const std::int64_t stride = g.conv.stride.h;
    const ir::Padding2d& pad = g.conv.padding;
    const MmaConvShape shape{
        .c_in = to_i32(g.c_in),
        .h_in = to_i32(g.h_in),
        .w_in = to_i32(g.w_in),
        .c_out = to_i32(g.c_out),
        .h_out = to_i32(g.h_out),
        .w_out = to_i32(g.w_out),
        .kernel_h = to_i32(g.kernel.h),
        .kernel_w = to_i32(g.kernel.w),
        .stride = to_i32(stride),
        .pad_top = to_i32(pad.top),
        .pad_left = to_i32(pad.left),
        .pad_bottom = to_i32(pad.bottom),
        .pad_right = to_i32(pad.right),
        .groups = to_i32(g.conv.groups),
        .pad_fill = conv.operands.x_zero_point,
        .channels_per_call = to_i32(stride == 1 ? target::kMmaChannelsPerCallStride1
                                                : target::kMmaChannelsPerCallStrided)};
    if (g.depthwise()) {
      call.kernel = MmaDepthwise{shape, out};
    } else {
      call.kernel = MmaConv2d{shape, out};
    }
    add_mma_constants(fused, conv.operands.weight, *conv.mma, g.c_out, call);
    const qc_mma_conv2d_params params{.w_out = shape.w_out};
    call.scratch = add_scratch(fused.layer, qc_mma_conv2d_scratch_bytes(&params));
  }

  // ---- Everything else ----

  void lower_core(const ir::Add& /*add*/, const FusedOp& fused) {
    const QuantizedValue& a = fused.inputs.at(0);
    const QuantizedValue& b = fused.inputs.at(1);
    require_int8_output(fused);
    const TensorRef y = place(fused.output, Order::kAny);
    add_call({.layer = fused.layer,
              .kernel = AddI8{.a_scale = a.params.scale.at(0),
                              .b_scale = b.params.scale.at(0),
                              .inv_scale = ir::inverse_scale(fused.out_params->scale.at(0)),
                              .a_zero_point = a.params.zero_point.at(0),
                              .b_zero_point = b.params.zero_point.at(0),
                              .out = requant_of(fused)},
              .inputs = {broadcast(a.id, y.layout), broadcast(b.id, y.layout)},
              .output = y});
  }

  TensorRef broadcast(ir::ValueId value, const Layout& to) {
    TensorRef operand = tensors_.at(value);
    const auto stretch = [](std::int32_t& size, std::int32_t& stride, std::int32_t target) {
      if (size == 1 && target != 1) stride = 0;
      size = target;
    };
    stretch(operand.layout.n, operand.layout.n_stride, to.n);
    stretch(operand.layout.c, operand.layout.c_stride, to.c);
    stretch(operand.layout.h, operand.layout.h_stride, to.h);
    stretch(operand.layout.w, operand.layout.w_stride, to.w);
    return operand;
  }

  void lower_core(const ir::Concat& /*concat*/, const FusedOp& fused) {
    require_int8_output(fused);
    const TensorRef whole = place(fused.output, Order::kAny);
    std::int64_t channel = 0;
    for (const QuantizedValue& input : fused.inputs) {
      TensorRef part = narrowed(whole, input.id, channel);
      const TensorRef& tensor = tensors_.at(input.id);
      const bool in_place = tensor.buffer == part.buffer && tensor.offset == part.offset;
      if (!in_place) {
        part.value = whole.value;
        part.value_channel = to_i32(channel);
        add_table_call(fused, input, part);
      }
      channel += part.layout.c;
    }
  }

  void lower_core(const ir::MaxPool2d& pool, const FusedOp& fused) {
    require_shared_codes(fused);
    add_call({.layer = fused.layer,
              .kernel = MaxPoolI8{to_i32(pool.kernel.h), to_i32(pool.kernel.w),
                                  to_i32(pool.stride.h), to_i32(pool.stride.w),
                                  to_i32(pool.padding.top), to_i32(pool.padding.left),
                                  to_i32(pool.dilation.h), to_i32(pool.dilation.w)},
              .inputs = {tensors_.at(fused.inputs.at(0).id)},
              .output = place(fused.output, Order::kAny)});
  }

  void lower_core(const ir::AvgPool2d& pool, const FusedOp& fused) {
    add_avg_pool(fused, [&](const Layout& x, const Layout& y, AvgWindows& windows) {
      fill_rows(ir::pool_windows_h(pool, x.h, y.h), windows);
      fill_columns(ir::pool_windows_w(pool, x.w, y.w), windows);
    });
  }

  void lower_core(const ir::AdaptiveAvgPool2d& /*pool*/, const FusedOp& fused) {
    add_avg_pool(fused, [](const Layout& x, const Layout& y, AvgWindows& windows) {
      fill_rows(ir::adaptive_windows(x.h, y.h), windows);
      fill_columns(ir::adaptive_windows(x.w, y.w), windows);
    });
  }

  static void fill_rows(const std::vector<ir::PoolWindow>& rows, AvgWindows& windows) {
    fill(rows, windows.begin_h, windows.end_h, windows.divisor_h);
  }

  static void fill_columns(const std::vector<ir::PoolWindow>& columns, AvgWindows& windows) {
    fill(columns, windows.begin_w, windows.end_w, windows.divisor_w);
  }

  static void fill(const std::vector<ir::PoolWindow>& from, std::vector<std::int32_t>& begin,
                   std::vector<std::int32_t>& end, std::vector<std::int32_t>& divisor) {
    for (const ir::PoolWindow& window : from) {
      begin.push_back(to_i32(window.begin));
      end.push_back(to_i32(window.end));
      divisor.push_back(to_i32(window.divisor));
    }
  }

  template <typename FillWindows>
  void add_avg_pool(const FusedOp& fused, FillWindows fill_windows) {
    const QuantizedValue& input = fused.inputs.at(0);
    const TensorRef x = tensors_.at(input.id);
    const TensorRef y =
        fused.out_params ? place(fused.output, Order::kAny) : outputs_.at(fused.output);
    AvgWindows windows;
    fill_windows(x.layout, y.layout, windows);
    windows.x_zero_point = input.params.zero_point.at(0);
    windows.scale = input.params.scale.at(0);
    Call call{.layer = fused.layer, .inputs = {x}, .output = y};
    if (fused.out_params) {
      windows.scale *= ir::inverse_scale(fused.out_params->scale.at(0));
      call.kernel = AvgPoolI8{windows, requant_of(fused)};
    } else {
      require_no_activation(fused);
      call.kernel = AvgPoolI8F32{windows};
    }
    add_call(std::move(call));
  }

  // A flattened image stays where it is; linear layers read it as the image it was.
  void lower_core(const ir::Flatten& /*flatten*/, const FusedOp& fused) { alias(fused); }
  void lower_core(const ir::Reshape& /*reshape*/, const FusedOp& fused) { alias(fused); }

  void alias(const FusedOp& fused) {
    require_shared_codes(fused);
    TensorRef tensor = tensors_.at(fused.inputs.at(0).id);
    tensor.value = graph_.value(fused.output).name;
    orders_[fused.output] = orders_.at(fused.inputs.at(0).id);
    tensors_[fused.output] = tensor;
  }

  template <typename Op>
  void lower_core(const Op& op, const FusedOp& /*fused*/) {
    throw UnsupportedError(fmt::format("{} has no integer kernel; extend the capability table",
                                       ir::name_of(ir::Op(op))));
  }

  static void require_int8_output(const FusedOp& fused) {
    if (!fused.out_params) throw UnsupportedError("expected an int8 output, found float32");
  }

  static void require_no_activation(const FusedOp& fused) {
    if (fused.activations.empty()) return;
    throw UnsupportedError("expected no activation between this layer and the float32 output");
  }

  static void require_shared_codes(const FusedOp& fused) {
    require_int8_output(fused);
    require_no_activation(fused);
    if (fused.inputs.at(0).params == *fused.out_params) return;
    throw UnsupportedError("expected the quantization parameters of its input, found others");
  }

  const ir::Graph& graph_;
  const LowerOptions& options_;
  std::vector<FusedOp> fused_;
  LayoutPlan plan_;
  Program program_;
  std::map<ir::ValueId, TensorRef> inputs_;
  std::map<ir::ValueId, TensorRef> outputs_;
  std::map<ir::ValueId, TensorRef> tensors_;
  std::map<ir::ValueId, Order> orders_;
  std::map<std::pair<ir::ValueId, Order>, TensorRef> copies_;
};

}  // namespace

Program lower(const ir::Graph& qdq, const LowerOptions& options) {
  return Lowering(qdq, options).run();
}

}  // namespace quantc::lower
