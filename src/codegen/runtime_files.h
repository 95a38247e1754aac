// The C runtime's sources, built into the compiler.
#pragma once

#include <span>
#include <string_view>

namespace quantc::codegen {

struct RuntimeFile {
  std::string_view name;
  std::string_view text;
};

/// Every file below runtime/, by name without folder.
std::span<const RuntimeFile> runtime_files();

}  // namespace quantc::codegen
