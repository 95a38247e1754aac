// A temporary folder that goes with its owner.
#pragma once

#include <filesystem>
#include <string>

namespace quantc {

/// A new folder below the system's temporary one, removed with everything in it on destruction, so
/// that a stale file is never read.
class ScratchFolder {
 public:
  ScratchFolder();  ///< InputError if it cannot be created.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace quantc
