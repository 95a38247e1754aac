// Quantized constants as operands: where they lie, how they are stretched, and who takes them.
#include <gmock/gmock.h>

#include "base/error.h"
#include "compiled.h"
#include "ir/text.h"
#include "lower/lower.h"
#include "lower/text.h"

namespace quantc::lower {
namespace {

std::string constant(const std::string& shape, const std::string& codes) {
  return "const %k : i8" + shape + " = {" + codes + "}\n%k.dq : f32" + shape +
         " = dequantize(%k, scale=[2], zero_point=[1])\n";
}

// x + k with codes that are the reals.
std::string sum(const std::string& x_shape, const std::string& k_shape, const std::string& codes) {
  return "graph @sum\ninput %x : f32" + x_shape + "\n" + quantized("x", x_shape) +
         constant(k_shape, codes) + "%y : f32" + x_shape + " = add(%x.dq, %k.dq)\n" +
         quantized("y", x_shape) + "output %y.dq\n";
}

TEST(ConstantOperand, IsCountedFromItsLastSize) {
  struct Row {
    const char *x_shape, *k_shape, *codes;
    std::vector<float> sums;  // of 0, 1, 2, ... and 2 * (code - 1)
  };
  const Row rows[] = {
      {"[1,3]", "[3]", "1,2,11", {0, 3, 22}},
      {"[1,3]", "[1,3]", "1,2,11", {0, 3, 22}},
      {"[1,3]", "[1]", "11", {20, 21, 22}},
      {"[1,2,1,2]", "[2]", "1,11", {0, 21, 2, 23}},
      {"[1,2,1,2]", "[2,1,1]", "1,11", {0, 1, 22, 23}},
      {"[1,2,2,1]", "[2,2,1]", "1,11,-9,0", {0, 21, -18, 1}},
      {"[1,2,2,1]", "[1,1,2,1]", "1,11", {0, 21, 2, 23}},
  };
  for (const Row& row : rows) {
    std::vector<float> x(row.sums.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    for (const bool mmalib : {false, true}) {
      EXPECT_EQ(run_compiled(sum(row.x_shape, row.k_shape, row.codes), x, {.mmalib = mmalib}),
                row.sums)
          << row.x_shape << " + " << row.k_shape;
    }
  }
}

TEST(ConstantOperand, LiesInTheWeightsAndCostsNoCall) {
  const Program program = lower(ir::parse_graph(sum("[1,3]", "[3]", "1,2,11")), {});
  std::vector<std::string_view> kernels;
  for (const Call& call : program.calls) kernels.push_back(name_of(call.kernel));
  EXPECT_THAT(kernels,
              testing::ElementsAre("qc_quantize_f32_i8", "qc_add_i8", "qc_dequantize_i8_f32"));
  const Buffer& buffer = program.buffer(program.calls.at(1).inputs.at(1).buffer);
  EXPECT_EQ(buffer.space, Space::kConstant);
  EXPECT_EQ(program.constant(buffer.constant).tensor.values<std::int8_t>()[2], 11);
  EXPECT_EQ(parse_program(to_text(program)).buffers, program.buffers);
}

TEST(ConstantOperand, IsRefusedByNameWhereNoKernelTakesOne) {
  for (const char* op : {"max_pool2d(%k.dq, kernel=[1,1], stride=[1,1], padding=[0,0,0,0])",
                         "concat(%x.dq, %k.dq, axis=1)", "relu(%k.dq)"}) {
    const std::string shape =
        std::string_view(op).starts_with("concat") ? "[1,4,1,1]" : "[1,2,1,1]";
    const std::string graph = "graph @g\ninput %x : f32[1,2,1,1]\n" + quantized("x", "[1,2,1,1]") +
                              constant("[1,2,1,1]", "1,2") + "%a : f32" + shape + " = " + op +
                              "\n" + quantized("a", shape) + "output %a.dq\n";
    try {
      lower(ir::parse_graph(graph), {});
      FAIL() << op;
    } catch (const UnsupportedError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("found the quantized constant k")) << op;
    }
  }
}

}  // namespace
}  // namespace quantc::lower
