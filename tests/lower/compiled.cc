#include "compiled.h"

#include <fmt/format.h>

#include "base/scratch_folder.h"
#include "codegen/emit.h"
#include "ir/text.h"
#include "lower/lower.h"
#include "memory/plan.h"

namespace quantc::lower {
namespace {

execute::RunResult run(const std::string& text, const std::vector<float>& input,
                       const CompiledOptions& options, bool trace) {
  const ir::Graph graph = ir::parse_graph(text);
  const Program program = lower(graph, {.mmalib = options.mmalib});
  const ScratchFolder folder;
  codegen::write_sources(program, memory::plan_arena(program, {.reuse = options.reuse}),
                         folder.path());
  execute::build(folder.path(), options.build);
  return execute::run(folder.path(),
                      {ir::Tensor::of(graph.value(graph.inputs.at(0)).type.shape, input)},
                      {graph.value(graph.outputs.at(0)).type.shape}, {.trace = trace});
}

std::vector<float> values_of(const execute::RunResult& result) {
  const auto values = result.outputs.at(0).values<float>();
  return {values.begin(), values.end()};
}

std::vector<int> codes(int count, int step) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back((i * step + 31) % 255 - 127);
  return values;
}

}  // namespace

std::vector<float> run_compiled(const std::string& graph, const std::vector<float>& input,
                                const CompiledOptions& options) {
  return values_of(run(graph, input, options, false));
}

std::vector<std::byte> trace_compiled(const std::string& graph, const std::vector<float>& input,
                                      const CompiledOptions& options) {
  return run(graph, input, options, true).trace;
}

std::vector<float> run_program(const Program& program, const std::vector<float>& input,
                               const ir::Shape& input_shape, const ir::Shape& output_shape) {
  const ScratchFolder folder;
  codegen::write_sources(program, memory::plan_arena(program), folder.path());
  execute::build(folder.path(), {.flags = "-O1"});
  return values_of(
      execute::run(folder.path(), {ir::Tensor::of(input_shape, input)}, {output_shape}));
}

std::string quantized(const std::string& value, const std::string& shape, float scale,
                      int zero_point) {
  const std::string params =
      fmt::format("dtype=i8, scale=[{}], zero_point=[{}]", scale, zero_point);
  return fmt::format(
      "%{0}.q : i8{1} = quantize(%{0}, {2})\n%{0}.dq : f32{1} = dequantize(%{0}.q, {2})\n", value,
      shape, params);
}

std::string weights(const std::string& name, const std::string& shape,
                    const std::vector<int>& codes) {
  return fmt::format(
      "const %{0} : i8{1} = {{{2}}}\n%{0}.dq : f32{1} = dequantize(%{0}, dtype=i8, scale=[1], "
      "zero_point=[0], qmin=-127, qmax=127)\n",
      name, shape, fmt::join(codes, ","));
}

std::string mixed_network() {
  return "graph @mixed\ninput %x : f32[1,3,9,9]\n" + quantized("x", "[1,3,9,9]", 0.021F, -7) +
         weights("w1", "[8,3,3,3]", codes(216, 37)) +
         "%a : f32[1,8,5,5] = conv2d(%x.dq, %w1.dq, stride=[2,2], padding=[1,1,1,1])\n"
         "%ar : f32[1,8,5,5] = clip(%a, min=0, max=60)\n" +
         quantized("ar", "[1,8,5,5]", 0.24F, -128) + weights("w2", "[8,1,3,3]", codes(72, 53)) +
         "%d : f32[1,8,5,5] = conv2d(%ar.dq, %w2.dq, padding=[1,1,1,1], groups=8)\n" +
         quantized("d", "[1,8,5,5]", 93.0F, 11) + "%s : f32[1,8,5,5] = add(%d.dq, %ar.dq)\n" +
         quantized("s", "[1,8,5,5]", 97.0F, 9) +
         "%cat : f32[1,16,5,5] = concat(%s.dq, %d.dq, axis=1)\n" +
         quantized("cat", "[1,16,5,5]", 101.0F, 3) +
         "%p : f32[1,16,3,3] = max_pool2d(%cat.dq, kernel=[3,3], stride=[2,2], "
         "padding=[1,1,1,1])\n" +
         quantized("p", "[1,16,3,3]", 101.0F, 3) +
         "%m : f32[1,16,2,2] = adaptive_avg_pool2d(%p.dq, output=[2,2])\n" +
         quantized("m", "[1,16,2,2]", 88.0F, 1) + "%f : f32[1,64] = flatten(%m.dq, start_dim=1)\n" +
         quantized("f", "[1,64]", 88.0F, 1) + weights("w3", "[10,64]", codes(640, 71)) +
         "%y : f32[1,10] = linear(%f.dq, %w3.dq)\noutput %y\n";
}

}  // namespace quantc::lower
