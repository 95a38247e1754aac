// Prints the operators that are imported, one a line: target, tab, signature.
#include <iostream>

#include "frontend/pt2/aten_ops.h"

int main() {
  using namespace quantc::frontend;
  for (const auto& table : aten_op_tables()) {
    for (const AtenOp& op : table) std::cout << op.target << '\t' << op.signature << '\n';
  }
}
