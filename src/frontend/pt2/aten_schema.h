// The arguments of an operator. Programs leave out arguments that equal the operator's default, so
// that the defaults must be known here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/pt2/program.h"

namespace quantc::frontend {

/// A parameter without a default must be given.
struct Parameter {
  std::string name;
  std::optional<Argument> default_value;
};

/// Parameters in order, as "input weight bias=None stride=[1,1] groups=1 eps=1e-05 mode='none'".
/// InternalError if the text is not of this form.
std::vector<Parameter> parse_signature(std::string_view signature);

using BoundArguments = std::map<std::string, Argument, std::less<>>;

/// A value for every parameter: the argument of its name, or without names of its position, or its
/// default. InputError if one is missing or given twice; UnsupportedError for one that the
/// signature does not have.
BoundArguments bind(const std::vector<Parameter>& parameters,
                    const std::vector<NamedArgument>& arguments);

}  // namespace quantc::frontend
