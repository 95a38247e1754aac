#include "base/scratch_folder.h"

#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace quantc {

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "quantc-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw InputError(pattern + ": cannot create a temporary folder");
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace quantc
