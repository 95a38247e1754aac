// How each kind of fused operation becomes kernel calls: one file per subject, dispatched by
// lower().
#pragma once

#include "lower/fusion.h"
#include "lower/layout_plan.h"
#include "lower/program_builder.h"
#include "target/target.h"

namespace quantc::lower {

struct LoweringContext {
  const ir::Graph& graph;
  const target::Target& target;
  ProgramBuilder& program;
};

/// Zero point of an int8 output and bounds of its codes: the quantized range cut by the fused
/// activations. Quantization is monotonic, so clipping codes equals quantizing clipped reals.
Requant requant_of(const FusedOp& fused);

/// UnsupportedError unless the output is int8; unless no activation follows; unless the output has
/// the codes of the first input.
void require_int8_output(const FusedOp& fused);
void require_no_activation(const FusedOp& fused);
void require_shared_codes(const FusedOp& fused);

/// A convolution or linear layer on the generic kernels, or on MMALIB's.
void lower_conv(LoweringContext& lowering, const FusedOp& fused, const ConvPlan& conv);
void lower_mma(LoweringContext& lowering, const FusedOp& fused, const ConvPlan& conv);

/// The graph's float32 input, quantized.
void lower_input(LoweringContext& lowering, const FusedOp& fused);

/// Activations between a Dequantize and a Quantize; a Dequantize alone at a float32 output.
void lower_unary(LoweringContext& lowering, const FusedOp& fused);

void lower_core(LoweringContext& lowering, const ir::Add& add, const FusedOp& fused);
void lower_core(LoweringContext& lowering, const ir::Concat& concat, const FusedOp& fused);
void lower_core(LoweringContext& lowering, const ir::MaxPool2d& pool, const FusedOp& fused);
void lower_core(LoweringContext& lowering, const ir::AvgPool2d& pool, const FusedOp& fused);
void lower_core(LoweringContext& lowering, const ir::AdaptiveAvgPool2d& pool, const FusedOp& fused);
void lower_core(LoweringContext& lowering, const ir::Flatten& flatten, const FusedOp& fused);
void lower_core(LoweringContext& lowering, const ir::Reshape& reshape, const FusedOp& fused);

}  // namespace quantc::lower
