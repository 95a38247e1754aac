// Passes as text in, text out. Values that no output needs are left out on both sides.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>

#include "ir/text.h"
#include "ir/verify.h"
#include "transform/passes.h"

namespace quantc::transform {

using Pass = ir::Graph (*)(const ir::Graph&);

inline std::string applied(Pass pass, std::string_view text) {
  const ir::Graph graph = pass(ir::parse_graph(text));
  ir::verify(graph);
  return ir::to_text(ir::without_dead_nodes(graph));
}

/// `text` as to_text prints it, default attributes included.
inline std::string printed(std::string_view text) {
  return ir::to_text(ir::without_dead_nodes(ir::parse_graph(text)));
}

inline void expect_unchanged(Pass pass, std::string_view text) {
  EXPECT_EQ(applied(pass, text), printed(text));
}

}  // namespace quantc::transform
