// Good checkpoints, cut and with bytes changed: an answer or a refusal, within a bound of memory.
#include <gmock/gmock.h>

#include <array>
#include <random>

#include "allocation_watch.h"
#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/scratch_folder.h"
#include "frontend/checkpoint/state_dict.h"
#include "frontend/checkpoint/zip_reader.h"

namespace quantc::frontend {
namespace {

constexpr std::size_t kMaxAllocation = std::size_t{32} << 20;

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return {file.bytes.begin(), file.bytes.end()};
}

std::vector<Bytes> good_files() {
  const ScratchFolder folder;
  write_safetensors(folder.file("tiny.safetensors"),
                    {{"a", ir::Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
                     {"b", ir::Tensor::of<std::int8_t>({3}, {1, 2, 3})}},
                    {{"k", "v"}});
  const std::filesystem::path data = "tests/data/checkpoint";
  return {bytes_of(data / "tiny_valid.pth"), bytes_of(data / "toy_legacy.pth"),
          bytes_of(folder.file("tiny.safetensors"))};
}

// True if the bytes were accepted.
bool survives(Bytes bytes) {
  fuzz::reset_allocation_watch();
  bool accepted = true;
  try {
    read_checkpoint(own_bytes(std::move(bytes)));
  } catch (const InternalError& error) {
    ADD_FAILURE() << error.what();
  } catch (const Error&) {
    accepted = false;
  }
  EXPECT_LT(fuzz::largest_allocation(), kMaxAllocation);
  return accepted;
}

// A changed weight is a number like any other: only the checksum tells.
TEST(Damage, EveryChangedByteOfAWeightIsRefused) {
  const SharedBytes whole = map_file("tests/data/checkpoint/tiny_valid.pth");
  const ScratchFolder folder;
  int storages = 0;
  for (const ZipMember& member : read_zip(whole)) {
    if (member.name.find("/data/") == std::string::npos) continue;
    ++storages;
    const std::ptrdiff_t start = member.data.bytes.data() - whole.bytes.data();
    for (std::ptrdiff_t i = 0; i < std::ssize(member.data.bytes); ++i) {
      Bytes changed(whole.bytes.begin(), whole.bytes.end());
      changed[static_cast<std::size_t>(start + i)] ^= std::byte{1};
      EXPECT_NO_THROW(read_checkpoint(own_bytes(changed)));
      write_file(folder.file("changed.pth"), {changed});
      try {
        load_checkpoint(folder.file("changed.pth"));
        ADD_FAILURE() << member.name << " byte " << i;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    testing::HasSubstr("member " + member.name + " has the checksum"));
      }
    }
  }
  EXPECT_GE(storages, 1);
}

TEST(Damage, EveryCutIsRefused) {
  for (const Bytes& whole : good_files()) {
    EXPECT_TRUE(survives(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto end = whole.begin() + static_cast<std::ptrdiff_t>(size);
      EXPECT_FALSE(survives({whole.begin(), end})) << "cut at " << size << " of " << whole.size();
    }
  }
}

TEST(Damage, OneChangedByteIsSurvived) {
  for (const Bytes& whole : good_files()) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const int mask : {0x01, 0x80, 0xFF}) {
        SCOPED_TRACE(testing::Message() << "byte " << i << " of " << whole.size());
        Bytes changed = whole;
        changed[i] ^= static_cast<std::byte>(mask);
        survives(std::move(changed));
      }
    }
  }
}

TEST(Damage, ManyChangedBytesAreSurvived) {
  std::mt19937 random(5);
  constexpr std::array<unsigned, 5> kUsual = {0x00, 0x01, 0x7F, 0x80, 0xFF};
  for (const Bytes& whole : good_files()) {
    for (int round = 0; round < 2000; ++round) {
      SCOPED_TRACE(testing::Message() << "round " << round << " of " << whole.size() << " bytes");
      Bytes changed = whole;
      for (unsigned count = random() % 8 + 1; count > 0; --count) {
        changed[random() % changed.size()] =
            static_cast<std::byte>(kUsual.at(random() % kUsual.size()));
      }
      survives(std::move(changed));
    }
  }
}

}  // namespace
}  // namespace quantc::frontend
