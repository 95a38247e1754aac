// The text form of a program, printed and parsed. One line a buffer, constant, tensor or call:
//
//   program @tiny
//   buffer %0 input 192 "x"
//   buffer %1 arena 48 "x.codes"
//   buffer %2 constant 48 "shift" @1
//   const @0 "conv.weight" i8[4,1,1,3]
//   input %0+0 f32 [1,3,4,4] (48,16,4,1) "x" 0
//   call "conv" macs=192 multiplier_error=0 bias_error=0 not_offloaded=""
//     kernel qc_conv2d_i8 kernel_h=1 ... out={ zero_point=0 lo=-128 hi=127 }
//     in %1+0 i8 [1,3,4,4] (48,1,12,3) "x.codes" 0
//     const @0
//     scratch %2
//     out %3+0 i8 [1,4,4,4] (64,1,16,4) "conv.quantize" 0
//   output %4+0 f32 [1,4,1,1] (4,1,1,1) "y" 0
//
// A tensor is %buffer+offset, element type, sizes and strides in the order n, c, h, w, the graph's
// value and its first channel. Constants are printed by type only.
#pragma once

#include <string>
#include <string_view>

#include "lower/program.h"

namespace quantc::lower {

std::string to_text(const Program& program);

/// The inverse of to_text; constants are zeros. InputError with line number, expected and found.
/// The result is verified.
Program parse_program(std::string_view text);

}  // namespace quantc::lower
