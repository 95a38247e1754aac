#include "codegen/c_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "lower/kernel_fields.h"

namespace quantc::codegen {
namespace {

std::string c_text(std::int32_t value) { return fmt::format("{}", value); }
std::string c_text(float value) { return fmt::format("{:a}f", value); }

std::string c_text(const std::vector<std::int32_t>& values) {
  return fmt::format("(const int32_t[]){{{}}}", fmt::join(values, ", "));
}

template <typename Group>
std::string fields_text(const Group& group);

std::string c_text(const lower::Requant& value) {
  return fmt::format("{{{}}}", fields_text(value));
}
std::string c_text(const lower::FloatClip& value) {
  return fmt::format("{{{}}}", fields_text(value));
}
std::string c_text(const lower::MmaOutput& value) {
  return fmt::format("{{{}, {}, {}}}", value.truncate ? "QC_MMA_TRUNCATE" : "QC_MMA_HALF_UP",
                     value.lo, value.hi);
}

template <typename Group>
std::string fields_text(const Group& group) {
  std::string text;
  Group copy = group;
  lower::visit_fields(copy, [&](const char* name, const auto& value) {
    text += fmt::format("{}.{} = {}", text.empty() ? "" : ", ", name, c_text(value));
  });
  return text;
}

struct CKernel {
  std::string_view params_type;
  std::string_view out_type;  ///< Passed as a struct of its own; empty: a member, or none.
  std::string_view second_input;
  bool has_layouts = true;
};

const CKernel& c_kernel(const lower::Kernel& kernel) {
  // In the order of lower::Kernel's alternatives.
  static constexpr std::array<CKernel, std::variant_size_v<lower::Kernel>> kKernels = {{
      {"qc_quantize_params", ""},
      {"qc_dequantize_params", ""},
      {"qc_conv2d_params", "qc_requant"},
      {"qc_conv2d_params", "qc_float_clip"},
      {"qc_lut_params", ""},
      {"qc_copy_params", ""},
      {"qc_add_params", "", "b"},
      {"qc_max_pool_params", ""},
      {"qc_avg_pool_params", "qc_requant"},
      {"qc_avg_pool_params", ""},
      {"qc_mma_conv2d_params", "qc_mma_output", {}, false},
      {"qc_mma_conv2d_params", "qc_mma_output", {}, false},
      {"qc_mma_fc_params", "qc_mma_output", {}, false},
  }};
  return kKernels.at(kernel.index());
}

}  // namespace

// A name comes from a file and can hold anything: bytes other than plain text become octal escapes,
// which end after three digits and make no trigraphs.
std::string string_text(const std::string& name) {
  constexpr std::size_t kLongestLiteral = 4095;  // that C11 compilers must take
  const auto text = [](char c, char quote) {
    const bool plain = c >= ' ' && c <= '~' && c != '?' && c != '\\' && c != quote;
    return plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  };
  std::string literal;
  if (name.size() <= kLongestLiteral) {
    for (const char c : name) literal += text(c, '"');
    return '"' + literal + '"';
  }
  for (const char c : name) literal += fmt::format("'{}', ", text(c, '\''));
  return fmt::format("(const char[]){{{}0}}", literal);
}

std::string comment_text(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return c < ' ' || c > '~' || c == '*' || c == '?' || c == '\\'; }, '_');
  return name;
}

std::string_view c_type(ir::DType dtype) {
  static const std::map<ir::DType, std::string_view> kTypes = {{ir::DType::kInt8, "int8_t"},
                                                               {ir::DType::kUInt8, "uint8_t"},
                                                               {ir::DType::kInt32, "int32_t"},
                                                               {ir::DType::kFloat32, "float"}};
  return kTypes.at(dtype);
}

std::string layout_text(const lower::Layout& l) {
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}}}", l.n, l.c, l.h, l.w, l.n_stride,
                     l.c_stride, l.h_stride, l.w_stride);
}

ParamsText params_text(const lower::Call& call) {
  const CKernel& c = c_kernel(call.kernel);
  ParamsText text{.type = c.params_type, .out_type = c.out_type};
  const auto add = [&](std::string_view name, const std::string& value) {
    text.members += fmt::format("    .{} = {},\n", name, value);
  };
  if (c.has_layouts) {
    const bool two_inputs = !c.second_input.empty();
    add(two_inputs ? "a" : "x", layout_text(call.inputs.at(0).layout));
    if (two_inputs) add(c.second_input, layout_text(call.inputs.at(1).layout));
    add("y", layout_text(call.output.layout));
  }
  lower::Kernel kernel = call.kernel;
  std::visit(
      [&](auto& typed) {
        lower::visit_fields(typed, [&](std::string_view name, const auto& value) {
          if (name == "out" && !c.out_type.empty()) {
            text.out = c_text(value);
          } else {
            add(name, c_text(value));
          }
        });
      },
      kernel);
  return text;
}

}  // namespace quantc::codegen
