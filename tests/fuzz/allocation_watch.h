// Watches what `new` is asked for, so that a test can tell that a small file did not ask for much.
#pragma once

#include <cstddef>

namespace quantc::fuzz {

/// Forgets earlier requests.
void reset_allocation_watch();

/// The largest single request since then, in bytes. Requests of C libraries do not count.
std::size_t largest_allocation();

}  // namespace quantc::fuzz
