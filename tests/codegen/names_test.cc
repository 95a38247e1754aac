// Names come from files: whatever they hold, the C is valid and an error tells the right one.
#include <gmock/gmock.h>

#include <limits>

#include "base/error.h"
#include "base/scratch_folder.h"
#include "codegen/emit.h"
#include "execute/host.h"

namespace quantc::codegen {
namespace {

using testing::HasSubstr;

std::vector<std::string> hostile_names() {
  std::string every_byte;
  for (int c = 1; c < 128; ++c) every_byte += static_cast<char>(c);
  std::string umlauts;
  for (int i = 0; i < 2000; ++i) umlauts += "\u00fc";
  return {"features.3.squeeze",
          "",
          "int",
          "return",
          "a.b",
          "a_b",
          "a/b",
          "say \"hello\", 'world'",
          "two\nlines\r\n#error third",
          "*/ int x; /*",
          "/* // \\",
          "trailing backslash \\",
          "what?\?/\n?\?'?\?)",
          R"(\n\x41\101 %s %n {} {0})",
          std::string("digits after an escape \x01") + "23",
          "Schicht \u00fc \u5c42 \U0001F600",
          "\uFEFF byte order mark",
          every_byte,
          std::string(4095, 'n'),
          std::string(4096, 'n'),
          std::string(9000, '\''),
          umlauts + "\\'\"?"};
}

// Layer i quantizes element i of the one input; at the end all of them are outputs.
lower::Program program_of(const std::vector<std::string>& names) {
  using lower::Space;
  lower::Program program;
  program.name = "*/ #error \n?\?/ \"name\" \u00fc \\";
  const auto count = static_cast<std::int32_t>(names.size());
  program.buffers = {{"x", Space::kInput, std::int64_t{4} * count},
                     {"codes", Space::kArena, count},
                     {"y", Space::kOutput, std::int64_t{4} * count}};
  const auto element = [](lower::BufferId buffer, ir::DType dtype, std::int64_t i) {
    return lower::TensorRef{buffer, i * static_cast<std::int64_t>(ir::size_of(dtype)), dtype,
                            lower::planar(1, 1, 1, 1), "value"};
  };
  for (std::int32_t i = 0; i < count; ++i) {
    program.calls.push_back({.layer = names[static_cast<std::size_t>(i)],
                             .kernel = lower::QuantizeF32{.inv_scale = 2},
                             .inputs = {element(0, ir::DType::kFloat32, i)},
                             .output = element(1, ir::DType::kInt8, i)});
  }
  for (std::int32_t i = 0; i < count; ++i) {
    program.calls.push_back({.layer = names[static_cast<std::size_t>(i)] + " out",
                             .kernel = lower::DequantizeI8{.scale = 0.5F},
                             .inputs = {element(1, ir::DType::kInt8, i)},
                             .output = element(2, ir::DType::kFloat32, i)});
  }
  program.inputs = {element(0, ir::DType::kFloat32, 0)};
  program.outputs = {element(2, ir::DType::kFloat32, 0)};
  lower::verify(program);
  return program;
}

class HostileNames : public testing::TestWithParam<const char*> {};

TEST_P(HostileNames, AreValidCAndAreToldByErrors) {
  const std::vector<std::string> names = hostile_names();
  const lower::Program program = program_of(names);
  const ScratchFolder folder;
  write_sources(program, memory::plan_arena(program), folder.path());
  execute::build(folder.path(), {GetParam(), "-O1"});
  std::vector<float> values;
  for (std::size_t i = 0; i < names.size(); ++i) values.push_back(static_cast<float>(i) - 8.5F);
  const auto run = [&](const std::vector<float>& input) {
    const ir::Shape shape = {static_cast<std::int64_t>(names.size())};
    return execute::run(folder.path(), {ir::Tensor::of(shape, input)}, {shape}).outputs.at(0);
  };
  EXPECT_THAT(run(values).values<float>(), testing::ElementsAreArray(values));
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<float> spoiled = values;
    spoiled[i] = std::numeric_limits<float>::quiet_NaN();
    try {
      run(spoiled);
      ADD_FAILURE() << "no error in layer " << names[i];
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(": layer " + names[i] + ": qc_quantize_f32_i8: a NaN"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, HostileNames, testing::Values("gcc", "clang"),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace quantc::codegen
