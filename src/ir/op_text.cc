#include "ir/op_text.h"

#include <fmt/format.h>

#include <optional>
#include <type_traits>

#include "base/error.h"
#include "ir/attribute_text.h"

namespace quantc::ir {
namespace {

[[noreturn]] void refuse(std::string_view expected, std::string_view found) {
  throw InputError(fmt::format("expected {}, found '{}'", expected, found));
}

// The fields of each op, in the order in which they are printed.

template <typename T, typename F>
requires std::is_empty_v<T>
void visit_fields(T& /*op*/, F&& /*field*/) {}
template <typename F>
void visit_fields(QuantParams& p, F&& field) {
  field("dtype", p.dtype);
  field("scale", p.scale);
  field("zero_point", p.zero_point);
  field("axis", p.axis);
  field("qmin", p.qmin);
  field("qmax", p.qmax);
}
template <typename F>
void visit_fields(Conv2d& op, F&& field) {
  field("stride", op.stride);
  field("padding", op.padding);
  field("dilation", op.dilation);
  field("groups", op.groups);
}
template <typename F>
void visit_fields(ConvTranspose2d& op, F&& field) {
  field("stride", op.stride);
  field("padding", op.padding);
  field("output_padding", op.output_padding);
  field("dilation", op.dilation);
  field("groups", op.groups);
}
template <typename F>
void visit_fields(BatchNorm& op, F&& field) {
  field("eps", op.eps);
}
template <typename F>
void visit_fields(LayerNorm& op, F&& field) {
  field("eps", op.eps);
  field("normalized_dims", op.normalized_dims);
}
template <typename F>
void visit_fields(Softmax& op, F&& field) {
  field("axis", op.axis);
}
template <typename F>
void visit_fields(Clip& op, F&& field) {
  field("min", op.min);
  field("max", op.max);
}
template <typename F>
void visit_fields(Gelu& op, F&& field) {
  field("tanh_form", op.tanh_form);
}
template <typename F>
void visit_fields(Mean& op, F&& field) {
  field("axes", op.axes);
  field("keepdim", op.keepdim);
}
template <typename F>
void visit_fields(ReduceL2& op, F&& field) {
  field("axes", op.axes);
  field("keepdim", op.keepdim);
}
template <typename F>
void visit_fields(MaxPool2d& op, F&& field) {
  field("kernel", op.kernel);
  field("stride", op.stride);
  field("padding", op.padding);
  field("dilation", op.dilation);
  field("ceil_mode", op.ceil_mode);
}
template <typename F>
void visit_fields(AvgPool2d& op, F&& field) {
  field("kernel", op.kernel);
  field("stride", op.stride);
  field("padding", op.padding);
  field("ceil_mode", op.ceil_mode);
  field("count_include_pad", op.count_include_pad);
}
template <typename F>
void visit_fields(AdaptiveAvgPool2d& op, F&& field) {
  field("output", op.output);
}
template <typename F>
void visit_fields(Flatten& op, F&& field) {
  field("start_dim", op.start_dim);
}
template <typename F>
void visit_fields(Reshape& op, F&& field) {
  field("shape", op.shape);
}
template <typename F>
void visit_fields(Transpose& op, F&& field) {
  field("perm", op.perm);
}
template <typename F>
void visit_fields(Slice& op, F&& field) {
  field("axis", op.axis);
  field("start", op.start);
  field("end", op.end);
  field("step", op.step);
}
template <typename F>
void visit_fields(Pad& op, F&& field) {
  field("before", op.before);
  field("after", op.after);
  field("value", op.value);
}
template <typename F>
void visit_fields(Expand& op, F&& field) {
  field("shape", op.shape);
}
template <typename F>
void visit_fields(Gather& op, F&& field) {
  field("axis", op.axis);
}
template <typename F>
void visit_fields(Concat& op, F&& field) {
  field("axis", op.axis);
}
template <typename F>
void visit_fields(Quantize& op, F&& field) {
  visit_fields(op.params, field);
}
template <typename F>
void visit_fields(Dequantize& op, F&& field) {
  visit_fields(op.params, field);
}

template <std::size_t... I>
Op default_op(std::string_view name, std::index_sequence<I...> /*alternatives*/) {
  std::optional<Op> found;
  const auto try_alternative = [&](Op op) {
    if (name_of(op) == name) found = std::move(op);
  };
  (try_alternative(std::variant_alternative_t<I, Op>{}), ...);
  if (!found) refuse("the name of an op", name);
  return *found;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> attribute_texts(const Op& op) {
  std::vector<std::pair<std::string, std::string>> texts;
  Op copy = op;
  std::visit(
      [&](auto& typed) {
        visit_fields(typed, [&](const char* key, const auto& value) {
          texts.emplace_back(key, to_value_text(value));
        });
      },
      copy);
  return texts;
}

Op parse_op(std::string_view name, const Attributes& attributes) {
  Op op = default_op(name, std::make_index_sequence<std::variant_size_v<Op>>());
  Attributes unread = attributes;
  std::visit(
      [&](auto& typed) {
        visit_fields(typed, [&](const char* key, auto& value) {
          const auto given = attributes.find(key);
          if (given == attributes.end()) return;
          with_context(fmt::format("{}: {}", name, key),
                       [&] { parse_value(given->second, value); });
          unread.erase(key);
        });
      },
      op);
  if (!unread.empty()) refuse(fmt::format("an attribute of {}", name), unread.begin()->first);
  return op;
}

}  // namespace quantc::ir
