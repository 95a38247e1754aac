#include "lower/kernels.h"

namespace quantc::lower {

std::string_view name_of(const Kernel& kernel) {
  return std::visit([](const auto& typed) { return typed.kName; }, kernel);
}

Operands operands_of(const Kernel& kernel) {
  return std::visit([](const auto& typed) { return typed.kOperands; }, kernel);
}

bool is_offloaded(const Kernel& kernel) {
  return std::holds_alternative<MmaConv2d>(kernel) ||
         std::holds_alternative<MmaDepthwise>(kernel) || std::holds_alternative<MmaFc>(kernel);
}

}  // namespace quantc::lower
