// Text of the elements of constants: "1,-2.5,inf", or "..." for those that are not written out.
#pragma once

#include <string>
#include <string_view>

#include "ir/tensor.h"

namespace quantc::ir {

/// The elements with commas between; "..." where there are more than `most` of them, or for element
/// types without a text (bool, f16, bf16).
std::string constant_text(const Tensor& tensor, std::int64_t most);

/// The inverse; "..." gives zeros. InputError if number or form of the elements differ from the
/// type's.
Tensor parse_constant(const TensorType& type, std::string_view text);

}  // namespace quantc::ir
