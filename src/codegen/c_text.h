// C text of the parts of model.c that do not depend on the memory plan.
#pragma once

#include <string>
#include <string_view>

#include "lower/program.h"

namespace quantc::codegen {

/// An expression for a constant string of any bytes.
std::string string_text(const std::string& name);

/// A name for use inside of a comment, which it cannot end.
std::string comment_text(std::string name);

/// "int8_t"; std::out_of_range for types that no kernel takes.
std::string_view c_type(ir::DType dtype);

std::string layout_text(const lower::Layout& layout);

/// A call's parameters: the types of the structs and the text of their initializers.
struct ParamsText {
  std::string_view type;
  std::string members;        ///< One line each.
  std::string_view out_type;  ///< Empty if the kernel takes no separate output stage.
  std::string out;
};

ParamsText params_text(const lower::Call& call);

}  // namespace quantc::codegen
