// A program of torch.export as its JSON states it (schema major versions 5 to 8), as plain
// structs.
// Members that quantc does not need are ignored, as the format's rules ask.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/dtype.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// The name of a tensor of the program; empty stands for None.
struct TensorName {
  std::string name;
};

/// A number that is known only when the program runs.
struct Symbol {
  std::string text;
};

/// The serialized code of an element type.
struct ScalarType {
  std::int64_t code = 0;
};

/// An argument that no supported op looks at: a device, a layout, a memory format.
struct OtherArgument {
  std::string kind;
};

/// None, or a value of one of the kinds that the format's union has.
using Argument = std::variant<std::monostate, bool, std::int64_t, double, std::string, TensorName,
                              std::vector<std::int64_t>, std::vector<double>,
                              std::vector<TensorName>, Symbol, ScalarType, OtherArgument>;

struct NamedArgument {
  std::string name;  ///< May be empty for positional arguments.
  Argument value;
};

/// One call of an operator.
struct ProgramNode {
  std::string name;
  std::string target;  ///< "aten.conv2d.default": without "torch.ops." in front.
  std::vector<NamedArgument> inputs;
  std::vector<std::string> outputs;  ///< Names of tensors, lists flattened.
};

struct TensorMeta {
  ScalarType dtype;
  std::vector<std::variant<std::int64_t, Symbol>> sizes;
  ir::Shape strides;                ///< Empty where symbolic.
  std::int64_t storage_offset = 0;  ///< -1 where symbolic.
};

enum class InputKind { kUser, kParameter, kBuffer, kConstant, kIgnored };

/// What a graph input stands for.
struct InputSpec {
  InputKind kind = InputKind::kIgnored;
  std::string value;       ///< Name in the graph.
  std::string key;         ///< Of the parameter, buffer or constant.
  bool persistent = true;  ///< Of a buffer: it lies with the weights.
};

struct Program {
  std::vector<InputSpec> inputs;
  std::vector<std::string> outputs;  ///< Of the user, in order.
  std::vector<ProgramNode> nodes;    ///< In an order that can be executed.
  std::map<std::string, TensorMeta> tensors;
};

/// InputError naming the node and member if the text is no program; UnsupportedError for another
/// major version, symbolic inputs, and programs that change their buffers.
Program parse_program(std::string_view json);

/// The element type of a serialized code; UnsupportedError if quantc has none.
ir::DType dtype_of(const ScalarType& type);

}  // namespace quantc::frontend
