#include "lower/text.h"

#include <fmt/format.h>

#include "lower/kernel_fields.h"

namespace quantc::lower {
namespace {

std::string_view name_of(Space space) {
  switch (space) {
    case Space::kInput:
      return "input";
    case Space::kOutput:
      return "output";
    default:
      return "arena";
  }
}

std::string layout_text(const Layout& l) {
  return fmt::format("[{},{},{},{}]({},{},{},{})", l.n, l.c, l.h, l.w, l.n_stride, l.c_stride,
                     l.h_stride, l.w_stride);
}

std::string tensor_text(const TensorRef& tensor) {
  return fmt::format("%{}+{}:{}{}", tensor.buffer, tensor.offset, ir::name_of(tensor.dtype),
                     layout_text(tensor.layout));
}

template <typename T>
std::string value_text(const T& value) {
  if constexpr (std::is_class_v<T>) {
    std::string text;
    T copy = value;
    visit_fields(copy, [&](const char* name, const auto& field) {
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, field);
    });
    return "{" + text + "}";
  } else {
    return fmt::format("{}", value);
  }
}

std::string value_text(const std::vector<std::int32_t>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

std::string fields_text(const Kernel& kernel) {
  std::string text;
  Kernel copy = kernel;
  std::visit(
      [&](auto& typed) {
        visit_fields(typed, [&](const char* name, const auto& value) {
          text += fmt::format(" {}={}", name, value_text(value));
        });
      },
      copy);
  return text;
}

std::string call_text(const Program& program, const Call& call) {
  std::string operands;
  for (const TensorRef& input : call.inputs) operands += " " + tensor_text(input);
  for (const ConstantId id : call.constants) operands += " @" + program.constant(id).name;
  if (call.scratch >= 0) operands += fmt::format(" scratch=%{}", call.scratch);
  return fmt::format("{} = {}({} ){} # {}\n", tensor_text(call.output), name_of(call.kernel),
                     operands, fields_text(call.kernel), call.layer);
}

}  // namespace

std::string to_text(const Program& program) {
  std::string text = fmt::format("program @{}\n", program.name);
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    text += fmt::format("buffer %{} : {} {} bytes # {}\n", i, name_of(buffer.space), buffer.bytes,
                        buffer.name);
  }
  for (const Constant& constant : program.constants) {
    text += fmt::format("const @{} : {}\n", constant.name, ir::to_string(constant.tensor.type()));
  }
  for (const Call& call : program.calls) text += call_text(program, call);
  return text;
}

}  // namespace quantc::lower
