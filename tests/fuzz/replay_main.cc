// replay FOLDER: the main of a fuzz target without libFuzzer. Feeds it every file of a corpus.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "fuzz_target.h"

namespace {

// A copy of just this size, so that a read beyond it shows in sanitizer builds.
void replay(const std::filesystem::path& file) {
  const std::string text = quantc::read_text(file);
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: replay FOLDER\n", stderr);
    return 2;
  }
  std::filesystem::path current = argv[1];
  try {
    const std::vector<std::filesystem::path> files = files_of(argv[1]);
    for (const std::filesystem::path& file : files) {
      current = file;
      replay(file);
    }
    std::printf("%zu inputs replayed\n", files.size());
    return files.empty() ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: not refused with an error of the family, but: %s\n", current.c_str(),
                 error.what());
    return 1;
  }
}
