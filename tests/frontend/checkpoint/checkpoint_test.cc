// Checkpoints of other people's tools, good and bad. Values are PyTorch's (torch_values.tsv);
// verdicts on damaged and hostile files are literal.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/scratch_folder.h"
#include "frontend/checkpoint/float32.h"
#include "frontend/checkpoint/state_dict.h"
#include "frontend/checkpoint/storage_view.h"

namespace quantc::frontend {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kData = "tests/data/checkpoint";
const fs::path kMarker = "/tmp/quantc_pwned";
constexpr std::size_t kCopyLimit = 1000;

ir::Tensor tensor_named(const StateDict& state_dict, const std::string& key) {
  for (const auto& [name, tensor] : state_dict.tensors) {
    if (name == key) return tensor;
  }
  throw InputError("no key " + key);
}

double element(const ir::Tensor& tensor, std::int64_t index) {
  const auto i = static_cast<std::size_t>(index);
  switch (tensor.dtype()) {
    case ir::DType::kInt64:
      return static_cast<double>(tensor.values<std::int64_t>()[i]);
    case ir::DType::kInt32:
      return tensor.values<std::int32_t>()[i];
    case ir::DType::kInt16:
      return tensor.values<std::int16_t>()[i];
    case ir::DType::kInt8:
      return tensor.values<std::int8_t>()[i];
    case ir::DType::kUInt8:
      return tensor.values<std::uint8_t>()[i];
    case ir::DType::kBool:
      return tensor.values<bool>()[i] ? 1 : 0;
    case ir::DType::kFloat64:
      return tensor.values<double>()[i];
    default:
      return as_float32(tensor).values<float>()[i];
  }
}

struct Expectation {
  std::string file, key, dtype, shape, values;
};

std::vector<Expectation> expectations() {
  std::ifstream table(kData / "torch_values.tsv");
  std::vector<Expectation> rows;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Expectation row;
    std::getline(fields, row.file, '\t');
    std::getline(fields, row.key, '\t');
    std::getline(fields, row.dtype, '\t');
    std::getline(fields, row.shape, '\t');
    std::getline(fields, row.values);
    rows.push_back(row);
  }
  return rows;
}

void expect_values(const ir::Tensor& tensor, const std::string& values) {
  std::istringstream list(values);
  std::vector<double> expected;
  for (std::string item; std::getline(list, item, ',');) expected.push_back(std::stod(item));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool is_last = i + 1 == expected.size();
    const double found =
        element(tensor, is_last ? tensor.elements() - 1 : static_cast<std::int64_t>(i));
    EXPECT_TRUE(found == expected[i] || (std::isnan(found) && std::isnan(expected[i])))
        << found << " instead of " << expected[i];
  }
}

TEST(Checkpoint, ValuesArePyTorchs) {
  const auto rows = expectations();
  ASSERT_GT(rows.size(), 100U);
  std::string open;
  StateDict state_dict;
  for (const Expectation& row : rows) {
    SCOPED_TRACE(row.file + " " + row.key);
    if (row.file != open) state_dict = load_checkpoint(kData / row.file);
    open = row.file;
    const ir::Tensor tensor = tensor_named(state_dict, row.key);
    EXPECT_EQ(ir::name_of(tensor.dtype()), row.dtype);
    EXPECT_EQ(ir::to_string(tensor.shape()), row.shape);
    expect_values(tensor, row.values);
  }
}

std::vector<ExpectedTensor> expected_of(const fs::path& control) {
  std::vector<ExpectedTensor> expected;
  for (const auto& [key, tensor] : load_checkpoint(control).tensors) {
    expected.push_back({key, tensor.shape()});
  }
  return expected;
}

std::string refusal(const fs::path& file, const std::vector<ExpectedTensor>& expected) {
  try {
    bind_tensors(load_checkpoint(file), expected);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

struct Outcome {
  const char* file;
  std::vector<const char*> message;  ///< Parts of the refusal; none: accepted.
};

void expect_outcomes(const std::vector<Outcome>& outcomes, const fs::path& control) {
  const auto expected = expected_of(kData / control);
  for (const Outcome& outcome : outcomes) {
    const std::string message = refusal(kData / outcome.file, expected);
    if (outcome.message.empty()) {
      EXPECT_EQ(message, "") << outcome.file;
    } else {
      EXPECT_THAT(message, HasSubstr(outcome.file));
    }
    for (const char* part : outcome.message) EXPECT_THAT(message, HasSubstr(part));
  }
}

TEST(Checkpoint, TinyFilesGiveTheirOutcomes) {
  expect_outcomes({{"tiny_valid.pth", {}},
                   {"tiny_float16.pth", {}},
                   {"tiny_zero_channel.pth", {}},
                   {"tiny_module_prefix.pth", {}},
                   {"tiny_wrapped.pth", {}},
                   {"tiny_nan.pth", {"conv.weight[1,0,1,1]", "nan"}},
                   {"tiny_inf.pth", {"fc.bias[3]", "-inf"}},
                   {"tiny_truncated.pth", {"truncated"}}},
                  "tiny_valid.pth");
}

TEST(Checkpoint, KeysAndShapesMustFit) {
  expect_outcomes(
      {{"squeezenet1_1_constant.pth", {}},
       {"squeezenet1_1_module_prefix.pth", {}},
       {"squeezenet1_1_wrapped.pth", {}},
       {"squeezenet1_1_missing_key.pth", {"missing features.7.expand3x3.bias"}},
       {"squeezenet1_1_extra_key.pth", {"unexpected classifier.4.weight"}},
       {"squeezenet1_1_wrong_shape.pth",
        {"features.6.squeeze.weight", "expected shape [32,128,1,1]", "found [128,32,1,1]"}}},
      "squeezenet1_1_constant.pth");
}

TEST(Checkpoint, EveryDifferenceIsListedAtOnce) {
  auto expected = expected_of(kData / "tiny_valid.pth");
  expected[0].shape = {9};
  expected[1].key = "elsewhere";
  const std::string message = refusal(kData / "tiny_valid.pth", expected);
  EXPECT_THAT(message, HasSubstr("3 differences"));
  EXPECT_THAT(message, HasSubstr("missing elsewhere"));
}

TEST(Checkpoint, HostilePicklesAreRefusedByNameAndNothingRuns) {
  ASSERT_FALSE(fs::exists(kMarker));
  for (const char* file : {"tiny_runs_shell_command.pth", "bare_pickle_runs_shell_command.pth"}) {
    EXPECT_THAT(refusal(kData / file, {}), HasSubstr("posix.system")) << file;
  }
  EXPECT_FALSE(fs::exists(kMarker));
}

TEST(Checkpoint, OtherArchivesAreRefusedClearly) {
  EXPECT_NE(refusal(kData / "burn_broken.pt", {}), "");
  EXPECT_THAT(refusal(kData / "toy_module.pt", {}), HasSubstr("refused: the pickle names"));
  EXPECT_NE(refusal(kData / "linear_schema8.12.pt2", {}), "");
  EXPECT_THAT(refusal("README.md", {}), HasSubstr("README.md"));
  EXPECT_THAT(refusal("/dev/zero", {}), HasSubstr("not a regular file"));
}

// IEEE 754-2019, 3.4: binary16 has a bias of 15 and 10 bits of fraction.
double half_value(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = (bits & 1023) / 1024.0;
  double magnitude = std::ldexp(1 + fraction, exponent - 15);
  if (exponent == 0) magnitude = std::ldexp(fraction, -14);
  if (exponent == 31) magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

TEST(Float32, EveryHalfIsWidenedExactly) {
  std::vector<std::uint16_t> halves(65536);
  std::iota(halves.begin(), halves.end(), std::uint16_t{0});
  std::vector<std::byte> bytes(halves.size() * 2);
  std::memcpy(bytes.data(), halves.data(), bytes.size());
  const ir::Tensor widened = as_float32({{ir::DType::kFloat16, {65536}}, own_bytes(bytes)});
  for (const std::uint16_t half : halves) {
    const double expected = half_value(half);
    const double found = widened.values<float>()[half];
    ASSERT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << half;
    ASSERT_EQ(std::signbit(found), std::signbit(expected)) << half;
  }
}

TEST(Safetensors, WritesWhatItReads) {
  const ScratchFolder folder;
  const fs::path file = folder.file("t.safetensors");
  write_safetensors(file,
                    {{"b", ir::Tensor::of<float>({2}, {1.5F, -0.0F})},
                     {"a", ir::Tensor::of<std::int64_t>({1}, {7})}},
                    {});
  const StateDict read = load_checkpoint(file);
  ASSERT_EQ(read.tensors.size(), 2U);
  EXPECT_EQ(read.tensors[0].first, "b");
  EXPECT_TRUE(std::signbit(read.tensors[0].second.values<float>()[1]));
  EXPECT_EQ(read.tensors[1].second.values<std::int64_t>()[0], 7);
}

struct Header {
  const char* json;
  const char* message;
};

TEST(Safetensors, BadHeadersAreRefused) {
  const Header headers[] = {
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "expected 2 elements"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,400]}})", "found 0 to 400"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "found 4 to 0"},
      {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "found -1"},
      {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
       "overflows"},
      {R"({"a":{"dtype":"F9","shape":[1],"data_offsets":[0,4]}})", "element type F9"},
      {R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", "damaged header entry"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
           "b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       "overlap"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
           "a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "two tensors are named a"},
      {"[1]", "not a JSON object"},
      {"{", "not a JSON object"},
  };
  const ScratchFolder folder;
  for (const Header& header : headers) {
    const std::string json = header.json;
    const std::uint64_t size = json.size();
    const std::string file =
        std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + json + "12345678";
    write_file(folder.file("x.safetensors"), file);
    EXPECT_THAT(refusal(folder.file("x.safetensors"), {}), HasSubstr(header.message));
  }
}

struct View {
  std::int64_t offset;
  std::vector<std::int64_t> sizes, strides;
  std::vector<float> values;  ///< Empty: refused.
};

// Views on a storage of the floats 0..11, legal and not (pytorch#184652, #181310).
TEST(Storage, ViewsStayInside) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const View views[] = {
      {1, {2, 3}, {1, 4}, {1, 5, 9, 2, 6, 10}},  // base(3x4).t()[1:3]
      {0, {3}, {0}, {0, 0, 0}},
      {11, {1}, {1000000000}, {11}},
      {12, {1}, {1}, {}},
      {0, {2, 7}, {7, 1}, {}},
      {0, {2}, {1000000000}, {}},
      {kHuge, {1}, {1}, {}},
      {0, {kHuge, kHuge}, {1, 1}, {}},
      {0, {kHuge}, {0}, {}},
      {-1, {1}, {1}, {}},
      {0, {-1}, {1}, {}},
      {0, {2}, {-1}, {}},
  };
  std::vector<float> base(12);
  std::iota(base.begin(), base.end(), 0.0F);
  const SharedBytes storage = ir::Tensor::of({12}, base).data();
  for (const View& view : views) {
    PickleTensor tensor;
    tensor.offset = view.offset;
    tensor.sizes = view.sizes;
    tensor.strides = view.strides;
    if (view.values.empty()) {
      EXPECT_THROW(StorageViews(kCopyLimit).tensor(tensor, storage), InputError);
      continue;
    }
    const ir::Tensor seen = StorageViews(kCopyLimit).tensor(tensor, storage);
    EXPECT_THAT(seen.values<float>(), testing::ElementsAreArray(view.values));
  }
}

}  // namespace
}  // namespace quantc::frontend
