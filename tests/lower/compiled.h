// A QDQ graph written as text, compiled, built and run: what the bug cases need.
#pragma once

#include <string>
#include <vector>

#include "execute/host.h"
#include "lower/program.h"

namespace quantc::lower {

struct CompiledOptions {
  bool mmalib = false;
  bool reuse = true;
  execute::BuildOptions build{.flags = "-O1 -DQC_POISON"};
};

/// Runs the graph's first output on one float input.
std::vector<float> run_compiled(const std::string& graph, const std::vector<float>& input,
                                const CompiledOptions& options = {});

/// The same, every layer's output included.
std::vector<std::byte> trace_compiled(const std::string& graph, const std::vector<float>& input,
                                      const CompiledOptions& options);

/// Runs an already lowered program.
std::vector<float> run_program(const Program& program, const std::vector<float>& input,
                               const ir::Shape& input_shape, const ir::Shape& output_shape);

/// Text of a Quantize and a Dequantize around `value`, named value.q and value.dq.
std::string quantized(const std::string& value, const std::string& shape, float scale = 1,
                      int zero_point = 0);

/// Text of int8 weights with scale 1, dequantized as `name`.dq.
std::string weights(const std::string& name, const std::string& shape,
                    const std::vector<int>& codes);

/// Convolution, depthwise, residual, concatenation, both pools and a linear layer, with scales and
/// zero points that round. Input %x : f32[1,3,9,9].
std::string mixed_network();

}  // namespace quantc::lower
