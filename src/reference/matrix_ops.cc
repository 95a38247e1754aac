// Convolutions, linear layers and matrix products, computed by oneDNN in float32.
#include <dnnl.hpp>
#include <string>
#include <unordered_map>

#include "base/error.h"
#include "reference/kernels.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

using dnnl::memory;

struct Device {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

Device& device() {
  static Device instance;
  return instance;
}

memory::desc dense(const memory::dims& dims, memory::format_tag tag) {
  return {dims, memory::data_type::f32, tag};
}

memory::desc any_format(const memory::dims& dims) { return dense(dims, memory::format_tag::any); }

// oneDNN's interface is not const correct: it only writes to the destination.
memory view(const memory::desc& desc, const void* data) {
  return {desc, device().engine, const_cast<void*>(data)};
}

// `data` in the format that a primitive chose; the same memory if it has it already.
memory in_format(memory given, const memory::desc& wanted) {
  if (given.get_desc() == wanted) return given;
  memory reordered(wanted, device().engine);
  dnnl::reorder(given, reordered).execute(device().stream, given, reordered);
  return reordered;
}

// Runs a convolution-like primitive on plain tensors.
template <typename Primitive, typename PrimitiveDesc>
ir::Tensor execute(const PrimitiveDesc& desc, const memory& x, const memory& weight,
                   const Tensors& in, const memory::desc& y_desc, const ir::Shape& out) {
  TensorBuilder<float> y(out);
  memory plain_y = view(y_desc, y.values().data());
  memory wanted_y = desc.dst_desc() == y_desc ? plain_y : memory(desc.dst_desc(), device().engine);
  std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, in_format(x, desc.src_desc())},
      {DNNL_ARG_WEIGHTS, in_format(weight, desc.weights_desc())},
      {DNNL_ARG_DST, wanted_y}};
  if (in.size() > 2) {
    arguments[DNNL_ARG_BIAS] = view(desc.bias_desc(), in[2].values<float>().data());
  }
  Primitive(desc).execute(device().stream, arguments);
  if (wanted_y != plain_y) {
    dnnl::reorder(wanted_y, plain_y).execute(device().stream, wanted_y, plain_y);
  }
  device().stream.wait();
  return y.take();
}

template <typename Body>
ir::Tensor guarded(Body&& body) {
  try {
    return body();
  } catch (const dnnl::error& error) {
    throw UnsupportedError(std::string("oneDNN: ") + error.what());
  }
}

memory::desc bias_desc(const Tensors& in) {
  return in.size() > 2 ? dense({in[2].elements()}, memory::format_tag::a) : memory::desc();
}

struct Weights {
  memory::dims dims;
  memory::format_tag tag;
};

// [O,I/g,kh,kw], or with groups [g,O/g,I/g,kh,kw]; `by_input`: [I,O/g,kh,kw] of a transposed one.
Weights weights_of(const ir::Shape& w, std::int64_t groups, bool by_input) {
  using Tag = memory::format_tag;
  const std::int64_t first = w[0] / groups;
  const memory::dims ungrouped =
      by_input ? memory::dims{w[1], first, w[2], w[3]} : memory::dims{first, w[1], w[2], w[3]};
  if (groups == 1) return {ungrouped, by_input ? Tag::iohw : Tag::oihw};
  memory::dims grouped{groups};
  grouped.insert(grouped.end(), ungrouped.begin(), ungrouped.end());
  return {grouped, by_input ? Tag::giohw : Tag::goihw};
}

// x as [batch,rows,columns] of the broadcast batch dimensions.
ir::Tensor batched(const ir::Tensor& x, const ir::Shape& batch) {
  const std::int64_t rows = x.shape().end()[-2];
  const std::int64_t columns = x.shape().back();
  ir::Shape shape = batch;
  shape.insert(shape.end(), {rows, columns});
  const bool stretched = ir::element_count(shape) != x.elements();
  const ir::Tensor whole = stretched ? run(ir::Expand{shape}, {x}, shape) : x;
  return whole.reshaped({ir::element_count(batch), rows, columns});
}

ir::Tensor batched_product(const ir::Tensor& a, const ir::Tensor& b, const ir::Shape& out) {
  return guarded([&] {
    const memory::desc a_desc = dense(a.shape(), memory::format_tag::abc);
    const memory::desc b_desc = dense(b.shape(), memory::format_tag::abc);
    const memory::desc y_desc =
        dense({a.shape()[0], a.shape()[1], b.shape()[2]}, memory::format_tag::abc);
    const dnnl::matmul::desc product(a_desc, b_desc, y_desc);
    const dnnl::matmul::primitive_desc chosen(product, device().engine);
    return execute<dnnl::matmul>(chosen, view(a_desc, a.bytes().data()),
                                 view(b_desc, b.bytes().data()), {}, y_desc, out);
  });
}

}  // namespace

ir::Tensor run(const ir::Conv2d& op, const Tensors& in, const ir::Shape& out) {
  return guarded([&] {
    const memory::desc x_desc = dense(in[0].shape(), memory::format_tag::nchw);
    const memory::desc y_desc = dense(out, memory::format_tag::nchw);
    const Weights weights = weights_of(in[1].shape(), op.groups, false);
    const memory::dims strides{op.stride.h, op.stride.w};
    const memory::dims dilates{op.dilation.h - 1, op.dilation.w - 1};
    const memory::dims begin{op.padding.top, op.padding.left};
    const memory::dims end{op.padding.bottom, op.padding.right};
    const dnnl::convolution_forward::desc conv(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        any_format(x_desc.dims()), any_format(weights.dims), bias_desc(in),
        any_format(y_desc.dims()), strides, dilates, begin, end);
    const dnnl::convolution_forward::primitive_desc chosen(conv, device().engine);
    return execute<dnnl::convolution_forward>(
        chosen, view(x_desc, in[0].bytes().data()),
        view(dense(weights.dims, weights.tag), in[1].bytes().data()), in, y_desc, out);
  });
}

ir::Tensor run(const ir::ConvTranspose2d& op, const Tensors& in, const ir::Shape& out) {
  if (op.output_padding.h >= op.stride.h || op.output_padding.w >= op.stride.w) {
    throw UnsupportedError("conv_transpose2d: expected output_padding below the stride, found " +
                           ir::to_string({op.output_padding.h, op.output_padding.w}) +
                           " with stride " + ir::to_string({op.stride.h, op.stride.w}));
  }
  return guarded([&] {
    const memory::desc x_desc = dense(in[0].shape(), memory::format_tag::nchw);
    const memory::desc y_desc = dense(out, memory::format_tag::nchw);
    const Weights weights = weights_of(in[1].shape(), op.groups, true);
    const memory::dims strides{op.stride.h, op.stride.w};
    const memory::dims dilates{op.dilation.h - 1, op.dilation.w - 1};
    const memory::dims begin{op.padding.top, op.padding.left};
    const memory::dims end{op.padding.bottom - op.output_padding.h,
                           op.padding.right - op.output_padding.w};
    const dnnl::deconvolution_forward::desc conv(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct,
        any_format(x_desc.dims()), any_format(weights.dims), bias_desc(in),
        any_format(y_desc.dims()), strides, dilates, begin, end);
    const dnnl::deconvolution_forward::primitive_desc chosen(conv, device().engine);
    return execute<dnnl::deconvolution_forward>(
        chosen, view(x_desc, in[0].bytes().data()),
        view(dense(weights.dims, weights.tag), in[1].bytes().data()), in, y_desc, out);
  });
}

ir::Tensor run(const ir::Linear& /*op*/, const Tensors& in, const ir::Shape& out) {
  return guarded([&] {
    const std::int64_t features = in[1].shape()[1];
    const std::int64_t rows = in[0].elements() / features;
    const memory::desc x_desc = dense({rows, features}, memory::format_tag::nc);
    const memory::desc w_desc = dense(in[1].shape(), memory::format_tag::oi);
    const memory::desc y_desc = dense({rows, in[1].shape()[0]}, memory::format_tag::nc);
    const dnnl::inner_product_forward::desc linear(dnnl::prop_kind::forward_inference, x_desc,
                                                   w_desc, bias_desc(in), y_desc);
    const dnnl::inner_product_forward::primitive_desc chosen(linear, device().engine);
    return execute<dnnl::inner_product_forward>(chosen, view(x_desc, in[0].bytes().data()),
                                                view(w_desc, in[1].bytes().data()), in, y_desc,
                                                out);
  });
}

ir::Tensor run(const ir::Matmul& /*op*/, const Tensors& in, const ir::Shape& out) {
  const ir::Shape& b = in[1].shape();
  const std::int64_t inner = b.end()[-2];
  if (in[1].elements() == inner * b.back()) {  // one b for all rows of a
    return batched_product(in[0].reshaped({1, in[0].elements() / inner, inner}),
                           in[1].reshaped({1, inner, b.back()}), out);
  }
  const ir::Shape batch(out.begin(), out.end() - 2);
  return batched_product(batched(in[0], batch), batched(in[1], batch), out);
}

}  // namespace quantc::reference
