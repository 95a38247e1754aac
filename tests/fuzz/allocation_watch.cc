#include "allocation_watch.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t largest = 0;

}  // namespace

// new[] and the forms that do not throw come here too.
void* operator new(std::size_t size) {
  largest = std::max(largest, size);
  if (void* memory = std::malloc(std::max(size, std::size_t{1}))) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace quantc::fuzz {

void reset_allocation_watch() { largest = 0; }

std::size_t largest_allocation() { return largest; }

}  // namespace quantc::fuzz
