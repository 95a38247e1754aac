#include "frontend/pt2/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace quantc::frontend {
namespace {

// In the order of the variant's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Argument>> kKinds = {
    "None",
    "a flag",
    "an integer",
    "a number",
    "text",
    "tensor",
    "integers",
    "numbers",
    "a list of tensors",
    "a symbolic number",
    "a type",
    "another kind of value"};

// Elements of a parameter that an operator leaves out.
constexpr std::int64_t kMostFilled = std::int64_t{1} << 24;

}  // namespace

ir::ValueId value_in(ir::Graph& graph, const Operand& operand) {
  if (!operand.host) return operand.value;
  return graph.add_constant(operand.host->name, to_tensor(*operand.host));
}

const Argument& Call::value(std::string_view argument) const {
  const auto found = arguments_.find(argument);
  if (found == arguments_.end()) {
    throw InternalError(fmt::format("{} has no parameter {}", node_.target, argument));
  }
  if (const auto* symbol = std::get_if<Symbol>(&found->second)) {
    refuse(fmt::format("{} depends on the symbolic size {}; export without dynamic_shapes",
                       argument, symbol->text));
  }
  return found->second;
}

void Call::wrong_type(std::string_view argument, std::string_view expected) const {
  throw InputError(fmt::format("{}: argument {}: expected {}, found {}", node_.name, argument,
                               expected, kKinds.at(value(argument).index())));
}

void Call::refuse(const std::string& message) const {
  throw UnsupportedError(fmt::format("{}: {}", node_.name, message));
}

void Call::require(bool condition, std::string_view expected) const {
  if (!condition) refuse(fmt::format("expected {}", expected));
}

const std::string& Call::tensor_name(std::string_view argument) const {
  const auto* tensor = std::get_if<TensorName>(&value(argument));
  if (tensor == nullptr || tensor->name.empty()) wrong_type(argument, "a tensor");
  return tensor->name;
}

Operand Call::tensor(std::string_view argument) const {
  const std::string& tensor = tensor_name(argument);
  return with_context(node_.name, [&] { return environment_.operand(tensor); });
}

std::optional<Operand> Call::optional_tensor(std::string_view argument) const {
  if (is_none(argument)) return std::nullopt;
  return tensor(argument);
}

std::vector<std::optional<Operand>> Call::tensors(std::string_view argument) const {
  const auto* names = std::get_if<std::vector<TensorName>>(&value(argument));
  if (names == nullptr) wrong_type(argument, "a list of tensors");
  std::vector<std::optional<Operand>> operands;
  for (const TensorName& item : *names) {
    operands.emplace_back();
    if (item.name.empty()) continue;
    operands.back() = with_context(node_.name, [&] { return environment_.operand(item.name); });
  }
  return operands;
}

bool Call::flag(std::string_view argument) const {
  const auto* flag = std::get_if<bool>(&value(argument));
  if (flag == nullptr) wrong_type(argument, "a flag");
  return *flag;
}

std::int64_t Call::integer(std::string_view argument) const {
  const auto* number = std::get_if<std::int64_t>(&value(argument));
  if (number == nullptr) wrong_type(argument, "an integer");
  return *number;
}

std::optional<std::int64_t> Call::optional_integer(std::string_view argument) const {
  if (is_none(argument)) return std::nullopt;
  return integer(argument);
}

double Call::number(std::string_view argument) const {
  if (const auto* real = std::get_if<double>(&value(argument))) return *real;
  const auto* integer = std::get_if<std::int64_t>(&value(argument));
  if (integer == nullptr) wrong_type(argument, "a number");
  return static_cast<double>(*integer);
}

std::optional<double> Call::optional_number(std::string_view argument) const {
  if (is_none(argument)) return std::nullopt;
  return number(argument);
}

const std::string& Call::text(std::string_view argument) const {
  const auto* text = std::get_if<std::string>(&value(argument));
  if (text == nullptr) wrong_type(argument, "text");
  return *text;
}

std::vector<std::int64_t> Call::integers(std::string_view argument) const {
  if (const auto* one = std::get_if<std::int64_t>(&value(argument))) return {*one};
  const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value(argument));
  if (numbers == nullptr) wrong_type(argument, "integers");
  return *numbers;
}

ir::Size2d Call::pair(std::string_view argument) const {
  const std::vector<std::int64_t> numbers = integers(argument);
  if (numbers.empty() || numbers.size() > 2) wrong_type(argument, "one or two integers");
  return {numbers.front(), numbers.back()};
}

bool Call::is_none(std::string_view argument) const {
  const auto* tensor = std::get_if<TensorName>(&value(argument));
  return std::holds_alternative<std::monostate>(value(argument)) ||
         (tensor != nullptr && tensor->name.empty());
}

bool Call::is_tensor(std::string_view argument) const {
  return std::holds_alternative<TensorName>(value(argument));
}

ir::DType Call::dtype(std::string_view argument) const {
  const auto* type = std::get_if<ScalarType>(&value(argument));
  if (type == nullptr) wrong_type(argument, "an element type");
  return with_context(node_.name, [&] { return dtype_of(*type); });
}

std::int64_t Call::axis(std::string_view argument, std::size_t rank) const {
  return normalized_axis(integer(argument), rank);
}

std::int64_t Call::normalized_axis(std::int64_t axis, std::size_t rank) const {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count) {
    throw InputError(fmt::format("{}: expected a dimension from {} to {}, found {}", node_.name,
                                 -count, count - 1, axis));
  }
  return axis < 0 ? axis + count : axis;
}

ir::Slice Call::slice_of(const ir::Shape& shape) const {
  const std::int64_t dim = axis("dim", shape.size());
  const std::int64_t size = shape[static_cast<std::size_t>(dim)];
  const auto bound = [&](std::string_view argument, std::int64_t otherwise) {
    const std::int64_t index = optional_integer(argument).value_or(otherwise);
    return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
  };
  return {dim, bound("start", 0), bound("end", size), integer("step")};
}

const ir::TensorType& Call::type(const Operand& x) const {
  return x.host ? x.host->type : graph_.value(x.value).type;
}

Operand Call::emit(const ir::Op& op, const Operands& inputs, std::string_view suffix) {
  if (std::ranges::all_of(inputs, [](const Operand& x) { return x.host.has_value(); })) {
    std::vector<HostTensor> hosts;
    for (const Operand& input : inputs) hosts.push_back(*input.host);
    std::optional<HostTensor> result =
        with_context(node_.name, [&] { return evaluate_on_host(op, hosts); });
    if (result) return {-1, std::move(result)};
  }
  std::vector<ir::ValueId> ids;
  for (const Operand& input : inputs) ids.push_back(value_in(graph_, input));
  return {graph_.add_node(fmt::format("{}{}", node_.name, suffix), op, std::move(ids))};
}

Operand Call::constant(std::string_view suffix, ir::Tensor tensor) {
  return {graph_.add_constant(fmt::format("{}{}", node_.name, suffix), std::move(tensor))};
}

Operand Call::scalar(double value) {
  return constant(".scalar", ir::Tensor::of<float>({}, {static_cast<float>(value)}));
}

Operand Call::filled(std::string_view suffix, const ir::Shape& shape, float value) {
  const std::int64_t count = ir::element_count(shape);
  require(count >= 1 && count <= kMostFilled, "a layer of fewer channels");
  return constant(
      suffix, ir::Tensor::of(shape, std::vector<float>(static_cast<std::size_t>(count), value)));
}

const ir::Tensor* Call::constant_of(const Operand& x) const {
  if (x.host || !graph_.is_constant(x.value)) return nullptr;
  return &*graph_.value(x.value).constant;
}

const ir::Node* Call::producer_of(const Operand& x) const {
  if (x.host) return nullptr;
  const auto makes = [&](const ir::Node& node) { return node.output == x.value; };
  const auto found = std::find_if(graph_.nodes.rbegin(), graph_.nodes.rend(), makes);
  return found == graph_.nodes.rend() ? nullptr : &*found;
}

HostTensor Call::host(std::string_view argument) const {
  const Operand x = tensor(argument);
  if (x.host) return *x.host;
  const ir::Tensor* constant = constant_of(x);
  if (constant == nullptr) {
    refuse(fmt::format("{}: expected a constant, found a value that is computed from the input",
                       argument));
  }
  std::optional<HostTensor> copy = host_copy(node_.name, *constant);
  if (!copy) {
    refuse(fmt::format("{}: expected a small constant of f32, i64 or bool, found {}", argument,
                       ir::to_string(constant->type())));
  }
  return *std::move(copy);
}

}  // namespace quantc::frontend
