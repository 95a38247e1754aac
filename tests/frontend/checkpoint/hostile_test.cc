// Checkpoints that lie about sizes, names and types: each is refused by name, without asking for
// memory that the file does not have. Verdicts are literal.
#include <gmock/gmock.h>

#include "allocation_watch.h"
#include "base/error.h"
#include "base/files.h"
#include "base/scratch_folder.h"
#include "frontend/checkpoint/state_dict.h"
#include "hostile_files.h"

namespace quantc::frontend {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kHuge = std::int64_t{1} << 62;
constexpr std::uint32_t kInZip64 = 0xffffffff;
constexpr std::size_t kMaxAllocation = std::size_t{32} << 20;
const std::string kStorage(8, '\0');  // two floats
const std::string kGood = tensor_pickle(2, {2}, {1});

struct Hostile {
  std::string file;
  const char* message;  ///< A part of the refusal; empty: accepted.
};

void expect_refusals(const std::vector<Hostile>& files) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.file("hostile");
  for (const Hostile& hostile : files) {
    write_file(path, hostile.file);
    fuzz::reset_allocation_watch();
    std::string message;
    try {
      load_checkpoint(path);
    } catch (const InternalError& error) {
      ADD_FAILURE() << error.what();
    } catch (const Error& error) {
      message = error.what();
      EXPECT_THAT(message, HasSubstr(path.string()));
    }
    EXPECT_THAT(message, HasSubstr(hostile.message));
    EXPECT_EQ(message.empty(), *hostile.message == '\0') << message;
    EXPECT_LT(fuzz::largest_allocation(), kMaxAllocation) << message;
  }
}

// The archive of torch.save around a pickle and a storage.
std::string archive(const std::string& pickle) {
  return zip_of({{"a/data.pkl", pickle}, {"a/data/0", kStorage}});
}

// A ZIP64 extra field with the size, twice, of a member.
std::string zip64_size(std::uint64_t size) {
  return bytes_of(std::uint16_t{1}) + bytes_of(std::uint16_t{16}) + bytes_of(size) + bytes_of(size);
}

TEST(HostileZip, NamesAndSizesThatLieAreRefused) {
  const Member pickle{"a/data.pkl", kGood};
  const auto with = [&](const Member& member) { return zip_of({pickle, member}); };
  const std::string locator = "PK\6\7" + bytes_of(std::uint32_t{0}) +
                              bytes_of(std::uint64_t{1} << 60) + bytes_of(std::uint32_t{1});
  expect_refusals({
      {with({"a/data/0", kStorage}), ""},
      {with({.name = "a/data/0",
             .data = kStorage,
             .local_size = kInZip64,
             .size = kInZip64,
             .extra = zip64_size(kStorage.size())}),
       ""},
      {with({.name = "a/data/0", .data = kStorage, .local_size = 0, .flags = 8}), ""},
      {with({"../x", ""}), "member name '../x' leaves the archive"},
      {with({"a/../../x", ""}), "leaves the archive"},
      {with({"/etc/passwd", ""}), "leaves the archive"},
      {with({"a\\..\\x", ""}), "leaves the archive"},
      {with({"", ""}), "leaves the archive"},
      {with(pickle), "two members are named a/data.pkl"},
      {with({.name = "a/data/0", .data = kStorage, .local_name = "a/data/1"}), "different members"},
      {with({.name = "a/data/0", .data = kStorage, .local_size = 4}), "different members or sizes"},
      {with({.name = "a/data/0", .data = kStorage, .size = 1000}), "a/data/0: truncated"},
      {with({.name = "a/data/0", .data = kStorage, .size = kInZip64}), "a/data/0: truncated"},
      {with(
           {.name = "a/data/0", .data = kStorage, .size = kInZip64, .extra = zip64_size(1U) + "x"}),
       "storage of 2 elements, found 0"},
      {with({.name = "a/data/0",
             .data = kStorage,
             .size = kInZip64,
             .extra = zip64_size(std::uint64_t{1} << 60)}),
       "expected 1152921504606846976 bytes"},
      {with({.name = "a/data/0",
             .data = kStorage,
             .size = kInZip64,
             .extra = zip64_size(1).substr(0, 7)}),
       "truncated"},
      {with({.name = "a/data/0", .data = kStorage, .offset = 0xfffffff0}), "outside the file"},
      {with({.name = "a/data/0", .data = kStorage, .offset = 5}), "no header"},
      {with({.name = "a/data/0", .data = kStorage, .flags = 1}), "is encrypted"},
      {with({.name = "a/data/0", .data = kStorage, .method = 8}), "is compressed"},
      {zip_of({pickle}, "", 2), "central directory is corrupt"},
      {zip_of({pickle}, "", 1, 0xfffffff0), "lies outside the file"},
      {zip_of({pickle}, locator), "the ZIP64 directory lies outside the file"},
      {zip_of({pickle}), "storage 0 is missing"},
      {zip_of({{"a/other", ""}}), "found another zip"},
  });
}

TEST(HostilePickle, TensorsThatLieAreRefused) {
  expect_refusals({
      {archive(kGood), ""},
      {archive(tensor_pickle(kHuge, {2}, {1})), "expected a storage of 4611686018427387904"},
      {archive(tensor_pickle(2, {kHuge, kHuge}, {1, 1})), "overflows"},
      {archive(tensor_pickle(2, {kHuge, kHuge, 0}, {1, 1, 1})), "overflows"},
      {archive(tensor_pickle(2, {kHuge}, {1})), "found 0 to 4611686018427387903"},
      {archive(tensor_pickle(2, {2}, {1}, kHuge)), "expected a view inside of its storage"},
      {archive(tensor_pickle(2, {2}, {1}, -1)), "expected a view inside of its storage"},
      {archive(tensor_pickle(2, {1000000000}, {0})), "as dense tensors, found one of 1000000000"},
      {archive(tensor_pickle(2, std::vector<std::int64_t>(100000, 1),
                             std::vector<std::int64_t>(100000, 7))),
       "at most 64, found 100000"},
      {archive(tensor_pickle(2, {2}, {1, 1})), "as many strides as sizes"},
  });
}

std::string repeated(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(HostilePickle, OpcodesThatLieAreRefused) {
  const std::string reduce = "ctorch\nSize\nq\x01" + ("((" + repeated("N", 10000));
  expect_refusals({
      {archive("\x80\x02\x8b" + bytes_of(0x7fffffff) + "."), "data.pkl: truncated"},
      {archive("\x80\x02\x8d" + bytes_of(kHuge) + "."), "expected 4611686018427387904 bytes"},
      {archive("\x80\x02X" + bytes_of(0xffffffffU) + "."), "expected 4294967295 bytes"},
      {archive("\x80\x02Nr" + bytes_of(0xffffffffU) + "."), "remembered too far away"},
      {archive("\x80\x02h\x07."), "recalled that was not remembered"},
      {archive("\x80\x02" + reduce + "ltq\x02" + repeated("h\x01h\x02R0", 1000) + "."),
       "same arguments too often"},
      {archive("\x80\x02}}b}b."), "a dict with two states"},
      {archive("\x80\x02" + repeated("(", 100000)), "truncated"},
      {archive("\x80\x02N" + repeated("\x85", 100000) + "."), "found a list"},
      {archive("\x80\x02" + std::string("cos\nsystem\n.")), "names os.system"},
      {archive("\x80\x02\xff."), "unknown opcode 0xff"},
      {archive(""), "data.pkl: truncated"},
  });
}

TEST(Checkpoint, WithoutTensorsTheKeysAreListed) {
  const std::string accepted =
      "expected tensors at the top or under state_dict, model_state_dict, model";
  const std::string nested = "}" + pickled("state_dict_ema") + "}s" + pickled("epoch") + "K\1s.";
  expect_refusals({
      {archive(nested), "found none there but the keys state_dict_ema, epoch; save"},
      {archive(nested), accepted.c_str()},
      {archive("}."), "found none there but an empty dict"},
      {archive("]."), "expected a dict of tensors, found a list"},
      // {"model": {"w": ...}}
      {archive("}" + pickled("model") + kGood.substr(2, kGood.size() - 3) + "s."), ""},
  });
}

TEST(HostileSafetensors, SizesThatLieAreRefused) {
  const auto file = [](const std::string& json) {
    return bytes_of(std::uint64_t{json.size()}) + json + "12345678";
  };
  expect_refusals({
      {bytes_of(std::uint64_t{1} << 63) + "{}", "a header of 9223372036854775808 bytes"},
      {bytes_of(std::uint64_t{1000}) + "{}", "expected 1000 bytes"},
      {file(R"({"a":{"dtype":"I8","shape":[4611686018427387904],"data_offsets":[0,8]}})"),
       "expected 4611686018427387904 elements"},
      {file(R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[18446744073709551615,0]}})"),
       "expected a natural number, found 18446744073709551615"},
      {file(R"({"a":{"dtype":"I8","shape":[1.5],"data_offsets":[0,1]}})"), "found 1.5"},
      {file(R"({"a":{"dtype":"I8","shape":1,"data_offsets":[0,1]}})"), "damaged header entry"},
      {file(R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[0]}})"), "damaged header entry"},
      {file(R"({"a":)" + repeated("[", 100000) + repeated("]", 100000) + "}"),
       "damaged header entry"},
  });
}

}  // namespace
}  // namespace quantc::frontend
