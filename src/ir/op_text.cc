#include "ir/op_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <type_traits>

#include "base/error.h"

namespace quantc::ir {
namespace {

[[noreturn]] void refuse(std::string_view expected, std::string_view found) {
  throw InputError(fmt::format("expected {}, found '{}'", expected, found));
}

template <typename Int>
Int parse_int(std::string_view text) {
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse("an integer", text);
  return value;
}

// strtod and strtof read what fmt prints, inf and nan included.
template <typename Float>
Float parse_real(std::string_view text) {
  const std::string terminated(text);
  char* end = nullptr;
  const Float value = std::is_same_v<Float, float> ? std::strtof(terminated.c_str(), &end)
                                                   : std::strtod(terminated.c_str(), &end);
  if (terminated.empty() || *end != '\0') refuse("a number", text);
  return value;
}

std::vector<std::string_view> list_items(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') refuse("[a,b,...]", text);
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    items.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

std::vector<std::int64_t> parse_ints(std::string_view text, std::size_t count) {
  std::vector<std::int64_t> values;
  for (const std::string_view item : list_items(text))
    values.push_back(parse_int<std::int64_t>(item));
  if (values.size() != count) refuse(fmt::format("{} integers", count), text);
  return values;
}

// to_value_text and parse_value: one pair for each type of attribute.

std::string to_value_text(std::int64_t value) { return fmt::format("{}", value); }
std::string to_value_text(std::int32_t value) { return fmt::format("{}", value); }
std::string to_value_text(double value) { return fmt::format("{}", value); }
std::string to_value_text(float value) { return fmt::format("{}", value); }
std::string to_value_text(bool value) { return value ? "true" : "false"; }
std::string to_value_text(DType value) { return std::string(name_of(value)); }
std::string to_value_text(Size2d value) { return fmt::format("[{},{}]", value.h, value.w); }
std::string to_value_text(const Padding2d& value) {
  return fmt::format("[{},{},{},{}]", value.top, value.left, value.bottom, value.right);
}
std::string to_value_text(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "none";
}
template <typename T>
std::string to_value_text(const std::vector<T>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

void parse_value(std::string_view text, std::int64_t& value) {
  value = parse_int<std::int64_t>(text);
}
void parse_value(std::string_view text, std::int32_t& value) {
  value = parse_int<std::int32_t>(text);
}
void parse_value(std::string_view text, double& value) { value = parse_real<double>(text); }
void parse_value(std::string_view text, float& value) { value = parse_real<float>(text); }
void parse_value(std::string_view text, bool& value) {
  if (text != "true" && text != "false") refuse("true or false", text);
  value = text == "true";
}
void parse_value(std::string_view text, DType& value) {
  const std::optional<DType> dtype = dtype_named(text);
  if (!dtype) refuse("an element type", text);
  value = *dtype;
}
void parse_value(std::string_view text, Size2d& value) {
  const auto sizes = parse_ints(text, 2);
  value = {sizes[0], sizes[1]};
}
void parse_value(std::string_view text, Padding2d& value) {
  const auto sides = parse_ints(text, 4);
  value = {sides[0], sides[1], sides[2], sides[3]};
}
void parse_value(std::string_view text, std::optional<std::int64_t>& value) {
  value.reset();
  if (text != "none") value = parse_int<std::int64_t>(text);
}
template <typename T>
void parse_value(std::string_view text, std::vector<T>& values) {
  values.clear();
  for (const std::string_view item : list_items(text)) parse_value(item, values.emplace_back());
}

// The fields of each op, in the order in which they are printed.

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
void visit_fields(Clip& op, F&& field) {
  field("min", op.min);
  field("max", op.max);
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
template <typename F>
void visit_fields(Linear& /*op*/, F&& /*field*/) {}
template <typename F>
void visit_fields(Relu& /*op*/, F&& /*field*/) {}
template <typename F>
void visit_fields(Add& /*op*/, F&& /*field*/) {}

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

template <>
std::int64_t parse_attribute<std::int64_t>(std::string_view text) {
  return parse_int<std::int64_t>(text);
}

template <>
double parse_attribute<double>(std::string_view text) {
  return parse_real<double>(text);
}

}  // namespace quantc::ir
