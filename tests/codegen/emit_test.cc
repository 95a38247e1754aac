// The files of an artifact: valid C, the weights beside it, the same bytes every time.
#include "codegen/emit.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "compiled.h"
#include "execute/process.h"
#include "ir/text.h"
#include "lower/lower.h"

namespace quantc::codegen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

lower::Program mixed_program(bool mmalib) {
  return lower::lower(ir::parse_graph(lower::mixed_network()), {.mmalib = mmalib});
}

void write(const lower::Program& program, const ScratchFolder& folder) {
  write_sources(program, memory::plan_arena(program), folder.path());
}

std::map<std::string, std::string> files_of(const lower::Program& program) {
  const ScratchFolder folder;
  write(program, folder);
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    files[entry.path().filename().string()] = read_text(entry.path());
  }
  return files;
}

struct Row {
  const char* compiler;
  bool mmalib;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.compiler << (row.mmalib ? " mmalib" : " generic");
}

class GeneratedC : public testing::TestWithParam<Row> {};

TEST_P(GeneratedC, CompilesWithoutAWarning) {
  const ScratchFolder folder;
  write(mixed_program(GetParam().mmalib), folder);
  std::vector<std::string> command = {GetParam().compiler, "-std=c11",  "-O2", "-Wall", "-Wextra",
                                      "-Werror",           "-pedantic", "-o",  "model"};
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().extension() == ".c") command.push_back(entry.path().filename().string());
  }
  const auto result = execute::run_process(command, folder.path(), std::chrono::seconds(120));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "");
}

INSTANTIATE_TEST_SUITE_P(Compilers, GeneratedC,
                         testing::Values(Row{"gcc", false}, Row{"gcc", true}, Row{"clang", false},
                                         Row{"clang", true}),
                         [](const auto& row) {
                           return std::string(row.param.compiler) +
                                  (row.param.mmalib ? "_mmalib" : "_generic");
                         });

TEST(Artifact, IsTheSameEveryTime) {
  for (const bool mmalib : {false, true}) {
    EXPECT_TRUE(files_of(mixed_program(mmalib)) == files_of(mixed_program(mmalib)));
  }
}

// weights.bin holds every constant where plan_weights says, and zeros between them.
TEST(Artifact, WeightsAreABlob) {
  const lower::Program program = mixed_program(true);
  const WeightBlob blob = plan_weights(program);
  const std::string bytes = files_of(program).at("weights.bin");
  ASSERT_EQ(static_cast<std::int64_t>(bytes.size()), blob.bytes);
  ASSERT_EQ(blob.offsets.size(), program.constants.size());
  std::string expected(bytes.size(), '\0');
  std::int64_t end = 0;
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    const auto constant = program.constants[i].tensor.bytes();
    const std::int64_t offset = blob.offsets[i];
    EXPECT_EQ(offset % 64, 0);
    ASSERT_GE(offset, end) << program.constants[i].name;
    end = offset + static_cast<std::int64_t>(constant.size());
    ASSERT_LE(end, blob.bytes) << program.constants[i].name;
    std::memcpy(expected.data() + offset, constant.data(), constant.size());
  }
  EXPECT_TRUE(bytes == expected);
}

// Other weights change the blob and not one character of the C.
TEST(Artifact, CHoldsNoWeights) {
  const lower::Program program = mixed_program(false);
  lower::Program other = program;
  for (lower::Constant& constant : other.constants) {
    const auto bytes = constant.tensor.bytes();
    std::vector<std::byte> changed(bytes.begin(), bytes.end());
    std::reverse(changed.begin(), changed.end());
    changed.front() ^= std::byte{1};
    constant.tensor = ir::Tensor(constant.tensor.type(), own_bytes(std::move(changed)));
  }
  auto files = files_of(program);
  auto changed = files_of(other);
  EXPECT_NE(files.at("weights.bin"), changed.at("weights.bin"));
  files.erase("weights.bin");
  changed.erase("weights.bin");
  EXPECT_TRUE(files == changed);
}

std::set<std::string> sources_of(const lower::Program& program) {
  std::set<std::string> names;
  for (const auto& [name, text] : files_of(program)) {
    if (name.ends_with(".c")) names.insert(name);
  }
  return names;
}

TEST(Artifact, HoldsTheKernelsItCallsOnly) {
  EXPECT_THAT(sources_of(mixed_program(false)),
              ElementsAre("main.c", "model.c", "qc_add.c", "qc_avg_pool.c", "qc_conv2d.c",
                          "qc_lut.c", "qc_max_pool.c", "qc_quantize.c", "qc_run.c"));
  const std::string pointwise =
      "graph @g\ninput %x : f32[1,1,2,2]\n" + lower::quantized("x", "[1,1,2,2]") +
      lower::weights("w", "[1,1,1,1]", {1}) + "%y : f32[1,1,2,2] = conv2d(%x.dq, %w.dq)\n" +
      lower::quantized("y", "[1,1,2,2]") + "output %y.dq\n";
  EXPECT_THAT(sources_of(lower::lower(ir::parse_graph(pointwise), {.mmalib = true})),
              ElementsAre("main.c", "mmalib_emulation.c", "model.c", "qc_dequantize.c",
                          "qc_mma_conv2d.c", "qc_quantize.c", "qc_run.c"));
}

TEST(Model, ListsOneFunctionALayerInOrder) {
  const lower::Program program = mixed_program(true);
  const std::string text = emit_model(program, memory::plan_arena(program), plan_weights(program));
  std::size_t at = 0;
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    const std::string function = "static qc_status layer" + std::to_string(i) +
                                 "(const qc_memory *m) {\n  return " +
                                 std::string(lower::name_of(program.calls[i].kernel)) + "(";
    at = text.find(function, at);
    ASSERT_NE(at, std::string::npos) << function;
  }
  EXPECT_THAT(text, HasSubstr("qc_model_program = {" + std::to_string(program.calls.size())));
}

}  // namespace
}  // namespace quantc::codegen
