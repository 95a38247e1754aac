// Parsing of programs, a line at a time.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/text_cursor.h"
#include "ir/attribute_text.h"
#include "lower/kernel_fields.h"
#include "lower/text.h"

namespace quantc::lower {
namespace {

template <typename T>
T number(TextCursor& line, std::string_view stops) {
  T value{};
  ir::parse_value(line.until(stops), value);
  return value;
}

ir::DType dtype(TextCursor& line, std::string_view stops) { return number<ir::DType>(line, stops); }

void parse_layout(TextCursor& line, Layout& l) {
  line.expect("[");
  for (std::int32_t* size : {&l.n, &l.c, &l.h, &l.w}) {
    *size = number<std::int32_t>(line, ",]");
    line.expect(size == &l.w ? "]" : ",");
  }
  line.expect("(");
  for (std::int32_t* stride : {&l.n_stride, &l.c_stride, &l.h_stride, &l.w_stride}) {
    *stride = number<std::int32_t>(line, ",)");
    line.expect(stride == &l.w_stride ? ")" : ",");
  }
}

TensorRef tensor(TextCursor& line) {
  TensorRef tensor;
  line.expect("%");
  tensor.buffer = number<BufferId>(line, "+");
  line.expect("+");
  tensor.offset = number<std::int64_t>(line, " ");
  tensor.dtype = dtype(line, " ");
  parse_layout(line, tensor.layout);
  tensor.value = line.quoted();
  tensor.value_channel = number<std::int32_t>(line, " ");
  return tensor;
}

template <typename Struct>
void parse_fields(TextCursor& line, Struct& fields) {
  visit_fields(fields, [&]<typename T>(const char* name, T& value) {
    line.expect(std::string(name) + "=");
    if constexpr (kIsGroup<T>) {
      line.expect("{");
      parse_fields(line, value);
      line.expect("}");
    } else {
      ir::parse_value(line.until(" }"), value);
    }
  });
}

template <std::size_t I = 0>
Kernel kernel_named(const std::string& name) {
  if constexpr (I == std::variant_size_v<Kernel>) {
    throw InputError("expected a kernel, found '" + name + "'");
  } else {
    using Candidate = std::variant_alternative_t<I, Kernel>;
    return Candidate::kName == name ? Kernel(Candidate{}) : kernel_named<I + 1>(name);
  }
}

Kernel kernel(TextCursor& line) {
  Kernel kernel = kernel_named(line.until(" "));
  std::visit([&](auto& typed) { parse_fields(line, typed); }, kernel);
  return kernel;
}

Call call(TextCursor& line) {
  Call call;
  call.layer = line.quoted();
  line.expect("macs=");
  call.macs = number<std::int64_t>(line, " ");
  line.expect("multiplier_error=");
  call.error.multiplier = number<double>(line, " ");
  line.expect("bias_error=");
  call.error.bias = number<double>(line, " ");
  line.expect("not_offloaded=");
  call.not_offloaded = line.quoted();
  return call;
}

Constant constant(TextCursor& line) {
  Constant constant;
  constant.name = line.quoted();
  ir::TensorType type{dtype(line, "["), {}};
  ir::parse_value(line.until(" "), type.shape);
  constant.tensor = {type, own_bytes(std::vector<std::byte>(type.bytes()))};
  return constant;
}

class ProgramParser {
 public:
  void parse_line(TextCursor line) {
    if (line.at_end()) return;
    const std::string word = line.until(" ");
    static constexpr std::array<Row, 10> kRows = {{
        {"program", &ProgramParser::parse_program},
        {"buffer", &ProgramParser::parse_buffer},
        {"const", &ProgramParser::parse_const},
        {"input", &ProgramParser::parse_input},
        {"call", &ProgramParser::parse_call},
        {"kernel", &ProgramParser::parse_kernel},
        {"in", &ProgramParser::parse_in},
        {"scratch", &ProgramParser::parse_scratch},
        {"out", &ProgramParser::parse_out},
        {"output", &ProgramParser::parse_output},
    }};
    for (const Row& row : kRows) {
      if (row.word != word) continue;
      (this->*row.parse)(line);
      if (!line.at_end()) line.fail("the end of the line");
      return;
    }
    throw InputError("expected the start of a line of a program, found '" + word + "'");
  }

  Program take() {
    verify(program_);
    return std::move(program_);
  }

 private:
  struct Row {
    std::string_view word;
    void (ProgramParser::*parse)(TextCursor& line);
  };

  Call& current() {
    if (program_.calls.empty()) throw InputError("expected a call first, found a part of one");
    return program_.calls.back();
  }

  void parse_program(TextCursor& line) {
    line.expect("@");
    program_.name = line.remainder();
    line = TextCursor("");
  }
  void parse_buffer(TextCursor& line) {
    line.expect(fmt::format("%{} ", program_.buffers.size()));
    Buffer& buffer = program_.buffers.emplace_back();
    buffer.space = space_named(line.until(" "));
    buffer.bytes = number<std::int64_t>(line, " ");
    buffer.name = line.quoted();
    if (buffer.space != Space::kConstant) return;
    line.expect("@");
    buffer.constant = number<ConstantId>(line, " ");
  }
  // Of the program at its top, of a call below one.
  void parse_const(TextCursor& line) {
    if (program_.calls.empty()) {
      line.expect(fmt::format("@{} ", program_.constants.size()));
      program_.constants.push_back(constant(line));
      return;
    }
    line.expect("@");
    current().constants.push_back(number<ConstantId>(line, " "));
  }
  void parse_scratch(TextCursor& line) {
    line.expect("%");
    current().scratch = number<BufferId>(line, " ");
  }
  void parse_input(TextCursor& line) { program_.inputs.push_back(tensor(line)); }
  void parse_output(TextCursor& line) { program_.outputs.push_back(tensor(line)); }
  void parse_call(TextCursor& line) { program_.calls.push_back(call(line)); }
  void parse_kernel(TextCursor& line) { current().kernel = kernel(line); }
  void parse_in(TextCursor& line) { current().inputs.push_back(tensor(line)); }
  void parse_out(TextCursor& line) { current().output = tensor(line); }

  Program program_;
};

}  // namespace

Program parse_program(std::string_view text) {
  ProgramParser parser;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    with_context(fmt::format("program text, line {}", number),
                 [&] { parser.parse_line(TextCursor(text.substr(0, end))); });
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.take();
}

}  // namespace quantc::lower
