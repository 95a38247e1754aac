#include "frontend/pt2/aten_ops.h"

#include <map>

namespace quantc::frontend {
namespace {

using Rows = std::map<std::string_view, const AtenOp*>;

Rows all_rows() {
  Rows rows;
  for (const auto& table : aten_op_tables()) {
    for (const AtenOp& op : table) rows.emplace(op.target, &op);
  }
  return rows;
}

}  // namespace

std::vector<std::span<const AtenOp>> aten_op_tables() {
  return {matrix_ops(),   pool_ops(),     normalize_ops(), elementwise_ops(),
          movement_ops(), constant_ops(), quantize_ops()};
}

const AtenOp* find_aten_op(std::string_view target) {
  static const Rows kRows = all_rows();
  const auto found = kRows.find(target);
  return found != kRows.end() ? found->second : nullptr;
}

}  // namespace quantc::frontend
