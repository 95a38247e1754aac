// The globals that a checkpoint may name, and what calling them makes.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/checkpoint/pickle.h"

namespace quantc::frontend {

/// "module.name" if it is on the allow-list; InputError naming it if it is not.
PickleGlobal checked_global(std::string_view module, std::string_view name);

/// The element type of a torch storage class, or nothing.
std::optional<ir::DType> storage_dtype(const PickleGlobal& global);

/// The value that calling `global` with `arguments` makes.
PickleValue call_global(const PickleGlobal& global, const PickleList& arguments, Pickle& pickle);

/// The storage that a persistent id names: ("storage", class, key, location, elements[, view]).
PickleStorage storage_of(const PickleList& persistent_id);

}  // namespace quantc::frontend
