#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace quantc {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::filesystem::path& path)
      // O_NONBLOCK: opening a FIFO must not wait for a writer.
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

SharedBytes SharedBytes::part(std::size_t offset, std::size_t size) const {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    throw InternalError("a part of a byte range lies outside of it");
  }
  return {owner, bytes.subspan(offset, size)};
}

SharedBytes map_file(const std::filesystem::path& path) {
  const FileDescriptor file(path);
  if (file.get() < 0) {
    throw InputError(path.string() + ": cannot open: " + std::strerror(errno));
  }
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    throw InputError(path.string() + ": not a regular file");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return {};
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) {
    throw InputError(path.string() + ": cannot map: " + std::strerror(errno));
  }
  std::shared_ptr<const void> owner(address, [size](void* mapped) { ::munmap(mapped, size); });
  return {std::move(owner), {static_cast<const std::byte*>(address), size}};
}

SharedBytes own_bytes(std::vector<std::byte> buffer) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(buffer));
  const std::span<const std::byte> bytes = *owner;
  return {std::move(owner), bytes};
}

}  // namespace quantc
