#include "frontend/pt2/program.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "frontend/pt2/python_json.h"
#include "frontend/pt2/tensor_meta.h"

namespace quantc::frontend {
namespace {

using Json = nlohmann::json;

// What torch 2.3 and 2.4 (5), 2.5 (7) and 2.6 and later (8) write differs in nothing read here.
constexpr std::int64_t kOldestSchema = 5;
constexpr std::int64_t kNewestSchema = 8;
constexpr std::string_view kOperatorPrefix = "torch.ops.";

TensorName tensor_name(const Json& json, std::string_view what) {
  if (!json.is_object()) wrong_json(what, "a tensor", json);
  if (json.contains("as_none")) return {};
  const Json* inner = find_member(json, "as_tensor");
  return {text_member(inner != nullptr ? *inner : json, "name")};
}

Argument sym_int(const Json& json, std::string_view what) {
  if (!json.is_object()) wrong_json(what, "a size", json);
  if (find_member(json, "as_int") != nullptr) return int_member(json, "as_int");
  return Symbol{text_member(json, "as_name")};
}

Argument sym_ints(const Json& json, std::string_view what) {
  std::vector<std::int64_t> numbers;
  for (const Argument& size : as_list<Argument>(json, what, sym_int)) {
    if (std::holds_alternative<Symbol>(size)) return size;
    numbers.push_back(std::get<std::int64_t>(size));
  }
  return numbers;
}

struct ArgumentRow {
  std::string_view kind;
  Argument (*parse)(const Json& value, std::string_view kind);
};

constexpr std::array<ArgumentRow, 14> kArguments = {{
    {"as_none", [](const Json&, auto) -> Argument { return std::monostate(); }},
    {"as_tensor", [](const Json& json, auto kind) -> Argument { return tensor_name(json, kind); }},
    {"as_tensors",
     [](const Json& json, auto kind) -> Argument { return as_list(json, kind, tensor_name); }},
    {"as_optional_tensor",
     [](const Json& json, auto kind) -> Argument { return tensor_name(json, kind); }},
    {"as_optional_tensors",
     [](const Json& json, auto kind) -> Argument { return as_list(json, kind, tensor_name); }},
    {"as_int", [](const Json& json, auto kind) -> Argument { return as_int(json, kind); }},
    {"as_ints",
     [](const Json& json, auto kind) -> Argument { return as_list(json, kind, as_int); }},
    {"as_float", [](const Json& json, auto kind) -> Argument { return as_number(json, kind); }},
    {"as_floats",
     [](const Json& json, auto kind) -> Argument { return as_list(json, kind, as_number); }},
    {"as_bool", [](const Json& json, auto kind) -> Argument { return as_flag(json, kind); }},
    {"as_string", [](const Json& json, auto kind) -> Argument { return as_text(json, kind); }},
    {"as_scalar_type",
     [](const Json& json, auto kind) -> Argument { return ScalarType{as_int(json, kind)}; }},
    {"as_sym_int", sym_int},
    {"as_sym_ints", sym_ints},
}};

// An object of one member, whose key tells the kind.
Argument parse_argument(const Json& json) {
  if (!json.is_object() || json.size() != 1) wrong_json("arg", "an object of one member", json);
  const std::string& kind = json.begin().key();
  for (const ArgumentRow& row : kArguments) {
    if (row.kind == kind) return row.parse(json.begin().value(), kind);
  }
  return OtherArgument{kind};
}

void collect_tensor_names(const Argument& argument, std::vector<std::string>& names) {
  if (const auto* tensor = std::get_if<TensorName>(&argument)) {
    names.push_back(tensor->name);
  } else if (const auto* tensors = std::get_if<std::vector<TensorName>>(&argument)) {
    for (const TensorName& item : *tensors) names.push_back(item.name);
  }
}

ProgramNode parse_node(const Json& json) {
  ProgramNode node;
  node.target = text_member(json, "target");
  if (node.target.starts_with(kOperatorPrefix)) node.target.erase(0, kOperatorPrefix.size());
  for (const Json& output : array_member(json, "outputs")) {
    collect_tensor_names(parse_argument(output), node.outputs);
  }
  const Json* name = find_member(json, "name");
  if (name != nullptr) node.name = as_text(*name, "name");
  if (node.name.empty() && !node.outputs.empty()) node.name = node.outputs.front();
  if (node.name.empty()) node.name = node.target;
  with_context(node.name, [&] {
    for (const Json& input : array_member(json, "inputs")) {
      std::string argument = text_member(input, "name");
      Argument value = with_context(argument, [&] { return parse_argument(member(input, "arg")); });
      node.inputs.push_back({std::move(argument), std::move(value)});
    }
  });
  return node;
}

struct InputKindRow {
  const char* member;
  const char* key;  ///< The member that holds the name of the parameter, buffer or constant.
  InputKind kind;
};

constexpr std::array<InputKindRow, 3> kStoredInputs = {{
    {"parameter", "parameter_name", InputKind::kParameter},
    {"buffer", "buffer_name", InputKind::kBuffer},
    {"tensor_constant", "tensor_constant_name", InputKind::kConstant},
}};

InputSpec parse_user_input(const Json& json) {
  const Argument value = parse_argument(member(json, "arg"));
  if (const auto* tensor = std::get_if<TensorName>(&value)) {
    return {InputKind::kUser, tensor->name};
  }
  if (std::holds_alternative<Symbol>(value)) {
    throw UnsupportedError(
        "expected tensors as inputs, found a symbolic number; export without dynamic_shapes");
  }
  return {};  // a number or None that was fixed at export
}

InputSpec parse_input_spec(const Json& json) {
  if (const Json* user = find_member(json, "user_input")) return parse_user_input(*user);
  for (const InputKindRow& row : kStoredInputs) {
    const Json* stored = find_member(json, row.member);
    if (stored == nullptr) continue;
    const Json* persistent = find_member(*stored, "persistent");
    return {row.kind, text_member(object_member(*stored, "arg"), "name"),
            text_member(*stored, row.key),
            persistent == nullptr || as_flag(*persistent, "persistent")};
  }
  return {};
}

// Of an output specification only the kind "user_output" is a result of the network.
std::string parse_output_spec(const Json& json) {
  if (const Json* user = find_member(json, "user_output")) {
    const Argument value = parse_argument(member(*user, "arg"));
    if (const auto* tensor = std::get_if<TensorName>(&value)) return tensor->name;
    throw UnsupportedError("expected tensors as outputs, found another kind of value");
  }
  throw UnsupportedError(
      fmt::format("expected outputs of kind user_output, found {}; call model.eval() before export",
                  json.is_object() && !json.empty() ? json.begin().key() : "none"));
}

void require_version(const Json& json) {
  const Json& version = object_member(json, "schema_version");
  const std::int64_t major = int_member(version, "major");
  if (major >= kOldestSchema && major <= kNewestSchema) return;
  const Json* torch_version = find_member(json, "torch_version");
  throw UnsupportedError(fmt::format(
      "expected schema version {} to {}, which torch 2.3 and later write, found {} of torch {}; "
      "export the model again",
      kOldestSchema, kNewestSchema, major,
      torch_version != nullptr ? torch_version->dump() : "(unknown)"));
}

Program program_of(const Json& json) {
  require_version(json);
  const Json& module = object_member(json, "graph_module");
  const Json& graph = object_member(module, "graph");
  const Json& signature = object_member(module, "signature");
  Program program;
  for (const auto& [name, meta] : object_member(graph, "tensor_values").items()) {
    with_context("tensor_values: " + name, [&, &name = name, &meta = meta] {
      program.tensors.emplace(name, parse_tensor_meta(meta));
    });
  }
  for (const Json& spec : array_member(signature, "input_specs")) {
    program.inputs.push_back(with_context("input_specs", [&] { return parse_input_spec(spec); }));
  }
  for (const Json& spec : array_member(signature, "output_specs")) {
    program.outputs.push_back(
        with_context("output_specs", [&] { return parse_output_spec(spec); }));
  }
  for (const Json& node : array_member(graph, "nodes")) program.nodes.push_back(parse_node(node));
  return program;
}

}  // namespace

Program parse_program(std::string_view json) {
  const Json document = parse_python_json(json);
  if (!document.is_object()) wrong_json("the program", "an object", document);
  return program_of(document);
}

}  // namespace quantc::frontend
