// The globals that a checkpoint may name, and what calling them makes.
#pragma once

#include <string_view>

#include "frontend/checkpoint/pickle.h"

namespace quantc::frontend {

[[noreturn]] void damaged_pickle(std::string_view what);

/// "module.name" if it is on the allow-list; InputError naming it if it is not.
PickleGlobal checked_global(std::string_view module, std::string_view name);

/// The value that calling `global` with `arguments` makes; `pickle` owns it. Takes time and memory
/// for as many values as `arguments` and the lists among them hold.
PickleValue call_global(const PickleGlobal& global, const PickleList& arguments, Pickle& pickle);

/// The storage that a persistent id names: ("storage", class, key, location, elements[, view]).
PickleStorage storage_of(const PickleList& persistent_id);

}  // namespace quantc::frontend
