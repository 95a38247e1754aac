// The text form of a graph, printed and parsed. One line a node:
//
//   graph @tiny
//   input %x : f32[1,3,8,8]
//   const %conv.weight : f32[4,3,3,3] = {...}            # values elided when large
//   %y : f32[1,4,8,8] = conv2d(%x, %conv.weight, stride=[1,1], padding=[1,1,1,1]) # conv
//   output %y
#pragma once

#include <string>
#include <string_view>

#include "ir/graph.h"

namespace quantc::ir {

struct TextOptions {
  /// Constants of more elements are printed as `{...}`; parsing such a constant gives zeros.
  std::int64_t max_constant_elements = 16;
};

std::string to_text(const Graph& graph, const TextOptions& options = {});

/// The inverse of to_text. InputError with line number, expected and found. The result is verified.
Graph parse_graph(std::string_view text);

}  // namespace quantc::ir
