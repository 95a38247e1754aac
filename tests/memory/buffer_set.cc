#include "buffer_set.h"

#include <algorithm>
#include <string>

namespace quantc::memory {
namespace {

void use(lower::Call& call, lower::BufferId buffer) {
  if (call.output.buffer < 0) {
    call.output.buffer = buffer;
  } else if (call.scratch < 0) {
    call.scratch = buffer;
  } else {
    call.inputs.push_back({.buffer = buffer});
  }
}

std::int64_t calls_of(const std::vector<BufferSpec>& buffers) {
  std::int64_t calls = 0;
  for (const BufferSpec& buffer : buffers) calls = std::max(calls, buffer.last + 1);
  return calls;
}

}  // namespace

lower::Program program_of(const std::vector<BufferSpec>& buffers) {
  lower::Program program;
  program.calls.resize(static_cast<std::size_t>(calls_of(buffers)));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto id = static_cast<lower::BufferId>(i);
    program.buffers.push_back({"b" + std::to_string(i), lower::Space::kArena, buffers[i].bytes});
    use(program.calls[static_cast<std::size_t>(buffers[i].first)], id);
    use(program.calls[static_cast<std::size_t>(buffers[i].last)], id);
  }
  return program;
}

std::int64_t rounded(std::int64_t bytes) {
  return bytes % 64 == 0 ? bytes : bytes + 64 - bytes % 64;
}

std::int64_t most_alive(const std::vector<BufferSpec>& buffers) {
  std::int64_t most = 0;
  for (std::int64_t call = 0; call < calls_of(buffers); ++call) {
    std::int64_t alive = 0;
    for (const BufferSpec& buffer : buffers) {
      if (buffer.first <= call && call <= buffer.last) alive += rounded(buffer.bytes);
    }
    most = std::max(most, alive);
  }
  return most;
}

}  // namespace quantc::memory
