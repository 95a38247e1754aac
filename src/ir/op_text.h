// Text of an op's attributes: one table of fields per op, read in both directions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/ops.h"

namespace quantc::ir {

using Attributes = std::map<std::string, std::string>;

/// The op's attributes in declaration order, as key and value text.
std::vector<std::pair<std::string, std::string>> attribute_texts(const Op& op);

/// The op of that name; attributes that are absent keep their defaults. InputError on an unknown
/// op, an unknown attribute or a value that cannot be read.
Op parse_op(std::string_view name, const Attributes& attributes);

}  // namespace quantc::ir
