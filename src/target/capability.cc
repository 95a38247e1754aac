#include "target/capability.h"

#include <array>

namespace quantc::target {

IntegerRole integer_role(const ir::Op& op) {
  struct Row {
    std::string_view op;
    IntegerRole role;
  };
  static constexpr std::array<Row, 16> kRows = {{
      {"conv2d", IntegerRole::kWeighted},
      {"linear", IntegerRole::kWeighted},
      {"relu", IntegerRole::kActivation},
      {"clip", IntegerRole::kActivation},
      {"sigmoid", IntegerRole::kTable},
      {"hard_sigmoid", IntegerRole::kTable},
      {"hard_swish", IntegerRole::kTable},
      {"silu", IntegerRole::kTable},
      {"gelu", IntegerRole::kTable},
      {"tanh", IntegerRole::kTable},
      {"add", IntegerRole::kElementwise},
      {"max_pool2d", IntegerRole::kPassThrough},
      {"avg_pool2d", IntegerRole::kAverage},
      {"adaptive_avg_pool2d", IntegerRole::kAverage},
      {"flatten", IntegerRole::kPassThrough},
      {"concat", IntegerRole::kConcat},
  }};
  for (const Row& row : kRows) {
    if (row.op == ir::name_of(op)) return row.role;
  }
  return IntegerRole::kNone;
}

bool can_emit_float(IntegerRole role) {
  return role == IntegerRole::kWeighted || role == IntegerRole::kAverage;
}

bool absorbs_activation(IntegerRole role) {
  return role == IntegerRole::kWeighted || role == IntegerRole::kElementwise;
}

}  // namespace quantc::target
