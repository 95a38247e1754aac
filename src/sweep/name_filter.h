// Selection of networks by expressions such as `resnet and not (wide or 152)`.
#pragma once

#include <string_view>

namespace quantc::sweep {

/// True if the name satisfies the expression: a word holds if the name contains it; `not` binds
/// tighter than `and`, `and` tighter than `or`; parentheses group. InputError if it is not an
/// expression.
bool matches(std::string_view expression, std::string_view name);

}  // namespace quantc::sweep
