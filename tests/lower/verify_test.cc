// A good program with one rule broken by hand: an error that names the call.
#include <gmock/gmock.h>

#include <limits>

#include "base/error.h"
#include "lower/program.h"

namespace quantc::lower {
namespace {

TensorRef tensor(BufferId buffer, ir::DType dtype) {
  return {buffer, 0, dtype, planar(1, 4, 2, 2), "value", 0};
}

// x (input) -> codes -> features.0 (with constants and scratch) -> y (output).
Program good_program() {
  constexpr ir::DType kI8 = ir::DType::kInt8;
  constexpr ir::DType kF32 = ir::DType::kFloat32;
  Program program;
  program.buffers = {{"x", Space::kInput, 64},
                     {"codes", Space::kArena, 16},
                     {"features.0", Space::kArena, 16},
                     {"scratch", Space::kArena, 32},
                     {"y", Space::kOutput, 64}};
  for (const char* name : {"weight", "bias", "multiplier"}) {
    program.constants.push_back({name, ir::Tensor::of<float>({1}, {1})});
  }
  program.inputs = {tensor(0, kF32)};
  program.outputs = {tensor(4, kF32)};
  program.calls = {
      {.layer = "first",
       .kernel = QuantizeF32{},
       .inputs = {tensor(0, kF32)},
       .output = tensor(1, kI8)},
      {.layer = "features.0",
       .kernel = Conv2dI8{},
       .inputs = {tensor(1, kI8)},
       .constants = {0, 1, 2},
       .scratch = 3,
       .output = tensor(2, kI8)},
      {.layer = "last",
       .kernel = DequantizeI8{},
       .inputs = {tensor(2, kI8)},
       .output = tensor(4, kF32)},
  };
  return program;
}

Call& conv(Program& program) { return program.calls[1]; }

struct Rule {
  const char* name;
  void (*spoil)(Program& program);
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }

class VerifyProgram : public testing::TestWithParam<Rule> {};

TEST_P(VerifyProgram, NamesTheCall) {
  Program program = good_program();
  ASSERT_NO_THROW(verify(program));
  GetParam().spoil(program);
  try {
    verify(program);
    FAIL() << "accepted";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
  }
}

constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

std::vector<Rule> rules() {
  return {
      {"InputBufferBelowRange", [](Program& p) { conv(p).inputs[0].buffer = -1; },
       "features.0: a tensor in a buffer that does not exist"},
      {"InputBufferBeyondRange", [](Program& p) { conv(p).inputs[0].buffer = 5; },
       "features.0: a tensor in a buffer that does not exist"},
      {"OutputBufferBeyondRange", [](Program& p) { conv(p).output.buffer = 5; },
       "features.0: a tensor in a buffer that does not exist"},
      {"ProgramInputBeyondRange", [](Program& p) { p.inputs[0].buffer = 5; },
       "program input: a tensor in a buffer that does not exist"},
      {"ProgramOutputBeyondRange", [](Program& p) { p.outputs[0].buffer = 5; },
       "program output: a tensor in a buffer that does not exist"},
      {"InputLeavesBuffer", [](Program& p) { conv(p).inputs[0].offset = 1; },
       "features.0: tensor value at byte 1 leaves buffer codes, which has 16 bytes"},
      {"OutputLeavesBuffer", [](Program& p) { conv(p).output.layout.c = 5; },
       "features.0: tensor value at byte 0 leaves buffer features.0"},
      {"StrideLeavesBuffer", [](Program& p) { conv(p).output.layout.c_stride = 5; },
       "features.0: tensor value at byte 0 leaves buffer features.0"},
      {"WiderElementsLeaveBuffer", [](Program& p) { conv(p).output.dtype = ir::DType::kFloat32; },
       "features.0: tensor value at byte 0 leaves buffer features.0"},
      {"NegativeOffset", [](Program& p) { conv(p).inputs[0].offset = -1; },
       "features.0: tensor value at byte -1 leaves buffer codes"},
      {"OffsetBehindBuffer",
       [](Program& p) { conv(p).inputs[0].offset = std::numeric_limits<std::int64_t>::max(); },
       "leaves buffer codes"},
      {"SizesWhoseProductWraps",
       [](Program& p) {
         conv(p).output.layout = {kMost, kMost, kMost, kMost, kMost, kMost, kMost, kMost};
       },
       "features.0: tensor value at byte 0 leaves buffer features.0"},
      {"NegativeBuffer",
       [](Program& p) { p.buffers[2].bytes = std::numeric_limits<std::int64_t>::min(); },
       "features.0: tensor value at byte 0 leaves buffer features.0"},
      {"NoElements", [](Program& p) { conv(p).output.layout.h = 0; },
       "features.0: tensor value has sizes below 1"},
      {"NegativeStride", [](Program& p) { conv(p).output.layout.w_stride = -1; },
       "features.0: tensor value has sizes below 1 or strides below 0"},
      {"Misaligned",
       [](Program& p) {
         p.buffers[4].bytes += 64;
         p.calls[2].output.offset = 2;
       },
       "last: tensor value is not aligned to its elements"},
      {"ReadBeforeWritten", [](Program& p) { std::swap(p.calls[0], p.calls[1]); },
       "features.0: reads codes before it is written"},
      {"OutputNeverWritten", [](Program& p) { p.calls.pop_back(); },
       "program output: reads y before it is written"},
      {"WritesToAnInput", [](Program& p) { conv(p).output.buffer = 0; },
       "features.0: writes to an input"},
      {"WritesToAConstant",
       [](Program& p) {
         p.buffers.push_back({"weight", Space::kConstant, 4, 0});
         conv(p).output = {.buffer = 5, .layout = planar(1, 1, 1, 1)};
       },
       "features.0: writes to a constant"},
      {"BufferOfNoConstant",
       [](Program& p) {
         p.buffers.push_back({"weight", Space::kConstant, 4, 3});
       },
       "weight: a constant that does not exist"},
      {"BufferOfAnotherSizeThanItsConstant",
       [](Program& p) {
         p.buffers.push_back({"weight", Space::kConstant, 5, 0});
       },
       "weight: expected 5 bytes in its constant, found 4"},
      {"ConstantBelowRange", [](Program& p) { conv(p).constants[1] = -1; },
       "features.0: a constant that does not exist"},
      {"ConstantBeyondRange", [](Program& p) { conv(p).constants[2] = 3; },
       "features.0: a constant that does not exist"},
      {"TooFewConstants", [](Program& p) { conv(p).constants.pop_back(); },
       "features.0: qc_conv2d_i8 takes 3 constants, found 2"},
      {"TooManyInputs", [](Program& p) { conv(p).inputs.push_back(conv(p).inputs[0]); },
       "features.0: qc_conv2d_i8 takes 1 inputs, found 2"},
      {"TooFewInputs", [](Program& p) { p.calls[2].inputs.clear(); },
       "last: qc_dequantize_i8_f32 takes 1 inputs, found 0"},
      {"NoScratch", [](Program& p) { conv(p).scratch = -1; },
       "features.0: qc_conv2d_i8 takes 1 scratch buffers, found 0"},
      {"NeedlessScratch", [](Program& p) { p.calls[0].scratch = 3; },
       "first: qc_quantize_f32_i8 takes 0 scratch buffers, found 1"},
      {"ScratchBeyondRange", [](Program& p) { conv(p).scratch = 5; },
       "features.0: scratch that is not a buffer of the arena"},
      {"ScratchInAnOutput", [](Program& p) { conv(p).scratch = 4; },
       "features.0: scratch that is not a buffer of the arena"},
  };
}

INSTANTIATE_TEST_SUITE_P(Rules, VerifyProgram, testing::ValuesIn(rules()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace quantc::lower
