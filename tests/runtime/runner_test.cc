// The host program around a model (runtime/runner/qc_main.c), linked with toy_model.c: y0 = 3 x0 +
// 1 and y1 = y0 + x1. Its path is compiled in as QUANTC_TOY_MODEL.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/scratch_folder.h"

namespace quantc::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct Answer {
  int exit_code = -1;
  std::string text;

  /// Discarded if the text is not one value of JSON.
  nlohmann::json json() const {
    return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  }
};

template <typename T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

class Runner : public testing::Test {
 protected:
  Runner() {
    write("weights.bin", weights(1, 0));
    write_floats("x0", {1, 2, -3, 40});
    write_floats("x1", {10, 20, 30, 40});
  }

  std::string path(const std::string& name) const { return folder_.file(name).string(); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_.file(name)); }

  std::size_t file_count() const {
    const std::filesystem::directory_iterator files(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.file(name), std::ios::binary) << bytes;
  }

  void write_floats(const std::string& name, const std::vector<float>& values) const {
    std::string bytes;
    append(bytes, values);
    write(name, bytes);
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::vector<float> read_floats(const std::string& name) const {
    const std::string bytes = read(name);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
    return values;
  }

  // The layout of toy_model.c.
  static std::string weights(std::uint8_t scale, std::uint8_t shift) {
    std::string bytes(256, '\0');
    bytes[0] = 3;
    bytes[64] = 1;
    bytes[128] = static_cast<char>(scale);
    bytes[192] = static_cast<char>(shift);
    return bytes;
  }

  Answer run(const std::string& arguments) const {
    Answer answer;
    const std::string command =
        "cd '" + folder_.path().string() + "' && '" + QUANTC_TOY_MODEL + "' " + arguments + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
      answer.text.append(buffer.data(), got);
    }
    const int status = pclose(pipe);
    answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return answer;
  }

  // Exit code 2, one line of JSON with these words, and no file more than before.
  void expect_refusal(const std::string& arguments, const std::string& words) const {
    const std::size_t files = file_count();
    const Answer answer = run(arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    ASSERT_TRUE(answer.json().is_object()) << answer.text;
    EXPECT_EQ(answer.json()["status"], "error");
    EXPECT_THAT(answer.json()["message"].get<std::string>(), HasSubstr(words)) << arguments;
    EXPECT_EQ(file_count(), files) << arguments;
  }

 private:
  ScratchFolder folder_;
};

constexpr const char* kRun = "--weights weights.bin --input x0 --input x1 --output y0 --output y1";

TEST_F(Runner, ComputesTheOutputs) {
  const Answer answer = run(kRun);
  EXPECT_EQ(answer.exit_code, 0) << answer.text;
  EXPECT_EQ(answer.json()["status"], "ok");
  EXPECT_THAT(answer.json()["run_ms"], SizeIs(1));
  EXPECT_THAT(read_floats("y0"), ElementsAre(4, 7, -8, 121));
  EXPECT_THAT(read_floats("y1"), ElementsAre(14, 27, 22, 127));
  EXPECT_EQ(file_count(), 5U);
}

TEST_F(Runner, ReportsEachRepeatedRun) {
  const Answer answer = run(std::string(kRun) + " --repeat 5");
  EXPECT_THAT(answer.json()["run_ms"], SizeIs(5));
  EXPECT_THAT(read_floats("y0"), ElementsAre(4, 7, -8, 121));
}

TEST_F(Runner, TracesEveryLayer) {
  EXPECT_EQ(run(std::string(kRun) + " --trace trace").exit_code, 0);
  std::string expected;
  append<std::int8_t>(expected, {1, 2, -3, 40});
  append<std::int8_t>(expected, {4, 7, -8, 121});
  append<float>(expected, {4, 7, -8, 121});
  append<std::int8_t>(expected, {10, 20, 30, 40});
  append<std::int8_t>(expected, {14, 27, 22, 127});
  append<float>(expected, {14, 27, 22, 127});
  EXPECT_EQ(read("trace"), expected);
}

// Every layer gets inputs that no run would give it.
std::string layer_inputs() {
  std::string bytes;
  append<float>(bytes, {9, 8, 7, 6});
  append<std::int8_t>(bytes, {-1, 0, 1, 2});
  append<std::int8_t>(bytes, {5, 6, 7, 8});
  append<float>(bytes, {-1, -2, -3, -4});
  append<std::int8_t>(bytes, {1, 2, 3, 4});
  append<std::int8_t>(bytes, {10, 20, 30, 40});
  append<std::int8_t>(bytes, {50, 60, 70, 80});
  return bytes;
}

TEST_F(Runner, RunsEveryLayerAlone) {
  write("in", layer_inputs());
  const Answer answer = run("--weights weights.bin --layers in out");
  EXPECT_EQ(answer.exit_code, 0) << answer.text;
  std::string expected;
  append<std::int8_t>(expected, {9, 8, 7, 6});
  append<std::int8_t>(expected, {-2, 1, 4, 7});
  append<float>(expected, {5, 6, 7, 8});
  append<std::int8_t>(expected, {-1, -2, -3, -4});
  append<std::int8_t>(expected, {11, 22, 33, 44});
  append<float>(expected, {50, 60, 70, 80});
  EXPECT_EQ(read("out"), expected);
}

TEST_F(Runner, NamesTheLayerThatFails) {
  write("weights.bin", weights(1, 32));
  for (const std::string& arguments : {std::string(kRun), std::string(kRun) + " --trace trace"}) {
    const Answer answer = run(arguments);
    EXPECT_EQ(answer.exit_code, 1);
    ASSERT_TRUE(answer.json().is_object()) << answer.text;
    EXPECT_EQ(answer.json()["layer"], "stem \"conv\"");
    EXPECT_EQ(answer.json()["kernel"], "qc_mma_conv2d_i8");
    EXPECT_EQ(answer.json()["code"], 12);
    EXPECT_EQ(answer.json()["message"], "MMALIB: invalid shift");
    EXPECT_EQ(file_count(), 3U) << "no output is left behind";
  }
}

TEST_F(Runner, NamesTheLayerThatMeetsANan) {
  write_floats("x1", {1, std::nanf(""), 1, 1});
  const Answer answer = run(kRun);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(answer.json()["layer"], "x1.quantize");
  EXPECT_EQ(answer.json()["code"], -3);
  EXPECT_FALSE(exists("y0"));
}

TEST_F(Runner, KeepsAnOlderOutputWhenItFails) {
  write("weights.bin", weights(0, 0));
  write("y0", "older");
  EXPECT_EQ(run(kRun).exit_code, 1);
  EXPECT_EQ(read("y0"), "older");
}

TEST_F(Runner, RefusesFilesOfAnotherSize) {
  write("short", std::string(255, '\0'));
  write("long", std::string(257, '\0'));
  write("empty", "");
  expect_refusal("--weights short --input x0 --input x1 --output y0 --output y1",
                 "short: expected 256 bytes, found 255");
  expect_refusal("--weights long --input x0 --input x1 --output y0 --output y1", "found 257");
  expect_refusal("--weights empty --input x0 --input x1 --output y0 --output y1", "found 0");
  expect_refusal("--weights none --input x0 --input x1 --output y0 --output y1",
                 "none: cannot be read: No such file");
  expect_refusal("--weights weights.bin --input x0 --input empty --output y0 --output y1",
                 "empty: expected 16 bytes, found 0");
  expect_refusal("--weights weights.bin --input long --input x1 --output y0 --output y1",
                 "long: expected 16 bytes, found more");
  expect_refusal("--weights weights.bin --input . --input x1 --output y0 --output y1",
                 ".: cannot be read");
}

TEST_F(Runner, RefusesOutputsThatCannotBeWritten) {
  expect_refusal("--weights weights.bin --input x0 --input x1 --output y0 --output none/y1",
                 "none/y1: cannot be written");
  expect_refusal(std::string(kRun) + " --trace none/trace", "none/trace: cannot be written");
  write("in", layer_inputs());
  expect_refusal("--weights weights.bin --layers in none/out", "none/out: cannot be written");
}

TEST_F(Runner, WritesToADeviceInPlace) {
  EXPECT_EQ(
      run("--weights weights.bin --input x0 --input x1 --output /dev/null --output y1").exit_code,
      0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Runner, RefusesLayerInputsOfAnotherSize) {
  write("in", layer_inputs() + "x");
  expect_refusal("--weights weights.bin --layers in out", "goes on after the last layer's inputs");
  write("in", layer_inputs().substr(0, 45));
  expect_refusal("--weights weights.bin --layers in out", "ends before input 1 of layer sum");
}

TEST_F(Runner, RefusesArguments) {
  expect_refusal("--input x0 --input x1 --output y0 --output y1", "--weights: is missing");
  expect_refusal("--weights weights.bin --input x0 --output y0 --output y1",
                 "--input: expected 2 files, found 1");
  expect_refusal("--weights weights.bin --input x0 --input x1 --output y0",
                 "--output: expected 2 files, found 1");
  expect_refusal(std::string(kRun) + " --quick", "--quick: unknown option");
  expect_refusal(std::string(kRun) + " --trace",
                 "--trace: unknown option, or its value is missing");
  expect_refusal("--weights weights.bin --layers in", "--layers: unknown option, or its value");
  expect_refusal(std::string(kRun) + " --layers in out", "--layers: expected no --input");
  for (const char* count : {"0", "-1", "x", "3x", "''", "99999999999999999999"}) {
    expect_refusal(std::string(kRun) + " --repeat " + count, "--repeat: expected a number");
  }
}

TEST_F(Runner, EscapesNamesInItsAnswer) {
  expect_refusal("--weights 'a\"b\\c' --input x0 --input x1 --output y0 --output y1",
                 "a\"b\\c: cannot be read");
}

TEST_F(Runner, Helps) {
  const Answer answer = run("--help");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.text, HasSubstr("usage: model --weights"));
}

}  // namespace
}  // namespace quantc::runtime
