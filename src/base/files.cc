#include "base/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/mapped_file.h"

namespace quantc {

void write_file(const std::filesystem::path& path,
                const std::vector<std::span<const std::byte>>& parts) {
  std::filesystem::path partial = path;
  partial += ".partial" + std::to_string(::getpid());
  {
    std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
    for (const std::span<const std::byte> part : parts) {
      stream.write(reinterpret_cast<const char*>(part.data()),
                   static_cast<std::streamsize>(part.size()));
    }
    stream.close();
    if (!stream) {
      const std::string reason = std::strerror(errno);
      std::error_code ignored;
      std::filesystem::remove(partial, ignored);
      throw InputError(path.string() + ": cannot write: " + reason);
    }
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (error) {
    std::filesystem::remove(partial);
    throw InputError(path.string() + ": cannot write: " + error.message());
  }
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, std::vector{std::as_bytes(std::span(text))});
}

std::string read_text(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

}  // namespace quantc
