// What all fuzz targets share: bad input must end in a quantc::Error and in nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/mapped_file.h"

/// libFuzzer's entry point: each target defines it, libFuzzer or replay_main.cc calls it.
// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace quantc::fuzz {

/// The input as a file's bytes; the caller keeps them alive.
inline SharedBytes as_file(const std::uint8_t* data, std::size_t size) {
  return {nullptr, std::as_bytes(std::span(data, size))};
}

/// Reads every byte, so that a sanitizer sees a view that leaves its file.
inline void touch(std::span<const std::byte> bytes) {
  [[maybe_unused]] static volatile unsigned char sink;
  unsigned char sum = 0;
  for (const std::byte byte : bytes) sum ^= std::to_integer<unsigned char>(byte);
  sink = sum;
}

/// Runs `read`, which may refuse the input.
template <typename Read>
int accept_or_refuse(Read&& read) {
  try {
    std::forward<Read>(read)();
  } catch (const InternalError&) {
    throw;  // a bug of quantc, not of the input
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

}  // namespace quantc::fuzz
