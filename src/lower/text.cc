#include "lower/text.h"

#include <fmt/format.h>

#include "base/text_cursor.h"
#include "ir/attribute_text.h"
#include "lower/kernel_fields.h"

namespace quantc::lower {
namespace {

std::string layout_text(const Layout& l) {
  return fmt::format("[{},{},{},{}] ({},{},{},{})", l.n, l.c, l.h, l.w, l.n_stride, l.c_stride,
                     l.h_stride, l.w_stride);
}

std::string tensor_text(const TensorRef& tensor) {
  return fmt::format("%{}+{} {} {} {} {}\n", tensor.buffer, tensor.offset,
                     ir::name_of(tensor.dtype), layout_text(tensor.layout), quote(tensor.value),
                     tensor.value_channel);
}

template <typename Struct>
std::string fields_text(Struct fields) {
  std::string text;
  visit_fields(fields, [&]<typename T>(const char* name, const T& value) {
    if constexpr (kIsGroup<T>) {
      text += fmt::format(" {}={{{} }}", name, fields_text(value));
    } else {
      text += fmt::format(" {}={}", name, ir::to_value_text(value));
    }
  });
  return text;
}

std::string call_text(const Call& call) {
  std::string text = fmt::format(
      "call {} macs={} multiplier_error={} bias_error={} not_offloaded={}\n", quote(call.layer),
      call.macs, call.error.multiplier, call.error.bias, quote(call.not_offloaded));
  const std::string fields =
      std::visit([](const auto& typed) { return fields_text(typed); }, call.kernel);
  text += fmt::format("  kernel {}{}\n", name_of(call.kernel), fields);
  for (const TensorRef& input : call.inputs) text += "  in " + tensor_text(input);
  for (const ConstantId id : call.constants) text += fmt::format("  const @{}\n", id);
  if (call.scratch >= 0) text += fmt::format("  scratch %{}\n", call.scratch);
  return text + "  out " + tensor_text(call.output);
}

}  // namespace

std::string to_text(const Program& program) {
  std::string text = fmt::format("program @{}\n", program.name);
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    text += fmt::format("buffer %{} {} {} {}", i, name_of(buffer.space), buffer.bytes,
                        quote(buffer.name));
    text += buffer.space == Space::kConstant ? fmt::format(" @{}\n", buffer.constant) : "\n";
  }
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    const Constant& constant = program.constants[i];
    text += fmt::format("const @{} {} {}\n", i, quote(constant.name),
                        ir::to_string(constant.tensor.type()));
  }
  for (const TensorRef& input : program.inputs) text += "input " + tensor_text(input);
  for (const Call& call : program.calls) text += call_text(call);
  for (const TensorRef& output : program.outputs) text += "output " + tensor_text(output);
  return text;
}

}  // namespace quantc::lower
