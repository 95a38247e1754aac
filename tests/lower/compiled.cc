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

}  // namespace quantc::lower
