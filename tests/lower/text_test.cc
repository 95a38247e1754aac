// The text form of programs: everything but constants survives printing and parsing.
#include "lower/text.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "compiled.h"
#include "ir/text.h"
#include "lower/lower.h"

namespace quantc::lower {
namespace {

TEST(ProgramText, SurvivesPrintingAndParsing) {
  for (const bool mmalib : {false, true}) {
    const Program program = lower(ir::parse_graph(mixed_network()), {.mmalib = mmalib});
    const Program parsed = parse_program(to_text(program));
    EXPECT_EQ(to_text(parsed), to_text(program));
    EXPECT_EQ(parsed.buffers, program.buffers);
    EXPECT_EQ(parsed.inputs, program.inputs);
    EXPECT_EQ(parsed.outputs, program.outputs);
    ASSERT_EQ(parsed.calls.size(), program.calls.size());
    for (std::size_t i = 0; i < program.calls.size(); ++i) {
      const Call& call = program.calls[i];
      EXPECT_EQ(parsed.calls[i].layer, call.layer);
      EXPECT_EQ(parsed.calls[i].kernel, call.kernel) << call.layer;
      EXPECT_EQ(parsed.calls[i].inputs, call.inputs);
      EXPECT_EQ(parsed.calls[i].constants, call.constants);
      EXPECT_EQ(parsed.calls[i].scratch, call.scratch);
      EXPECT_EQ(parsed.calls[i].output, call.output);
      EXPECT_EQ(parsed.calls[i].macs, call.macs);
      EXPECT_EQ(parsed.calls[i].error, call.error);
      EXPECT_EQ(parsed.calls[i].not_offloaded, call.not_offloaded);
    }
  }
}

constexpr const char* kOneCall = R"(program @one
buffer %0 input 16 "x"
buffer %1 arena 4 "a \"quoted\\ name"
buffer %2 output 16 "y"
input %0+0 f32 [1,4,1,1] (4,1,1,1) "x" 0
call "x" macs=0 multiplier_error=0 bias_error=0 not_offloaded="line\nfeed"
  kernel qc_quantize_f32_i8 inv_scale=2.5 out={ zero_point=3 lo=-128 hi=127 }
  in %0+0 f32 [1,4,1,1] (4,1,1,1) "x" 0
  out %1+0 i8 [1,4,1,1] (4,1,1,1) "q" 0
call "y" macs=0 multiplier_error=0.25 bias_error=0.5 not_offloaded=""
  kernel qc_dequantize_i8_f32 scale=0.4 zero_point=3
  in %1+0 i8 [1,4,1,1] (4,1,1,1) "q" 0
  out %2+0 f32 [1,4,1,1] (4,1,1,1) "y" 0
output %2+0 f32 [1,4,1,1] (4,1,1,1) "y" 0
)";

TEST(ProgramText, ReadsWhatAPersonWrote) {
  const Program program = parse_program(kOneCall);
  EXPECT_EQ(program.name, "one");
  EXPECT_EQ(program.buffers.at(1).name, "a \"quoted\\ name");
  EXPECT_EQ(program.calls.at(0).not_offloaded, "line\nfeed");
  EXPECT_EQ(program.calls.at(0).kernel, Kernel(QuantizeF32{2.5F, {3, -128, 127}}));
  EXPECT_EQ(program.calls.at(1).error, (ConstantError{0.25, 0.5}));
  EXPECT_EQ(to_text(program), kOneCall);
}

TEST(ProgramText, RefusesWithLineExpectedAndFound) {
  struct Row {
    const char* text;
    const char* message;
  };
  const Row rows[] = {
      {"prog @x", "line 1: expected the start of a line of a program, found 'prog'"},
      {"program @x\nbuffer %1 arena 4 \"b\"", "line 2: expected '%0 '"},
      {"buffer %0 attic 4 \"b\"", "expected one of arena, input, output, constant, found 'attic'"},
      {"buffer %0 arena four \"b\"", "line 1: expected"},
      {"buffer %0 arena 4 \"b", "expected a closing quote"},
      {"buffer %0 arena 4 \"b\" more", "expected the end of the line, found 'more'"},
      {"  out %0+0 i8 [1,1,1,1] (1,1,1,1) \"v\" 0", "expected a call first"},
      {"call \"c\" macs=0 multiplier_error=0 bias_error=0 not_offloaded=\"\"\n  kernel qc_magic",
       "line 2: expected a kernel, found 'qc_magic'"},
      {"call \"c\" macs=0 multiplier_error=0 bias_error=0 not_offloaded=\"\"\n  kernel "
       "qc_dequantize_i8_f32 "
       "zero_point=3",
       "line 2: expected 'scale='"},
  };
  for (const Row& row : rows) {
    try {
      parse_program(row.text);
      ADD_FAILURE() << row.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(row.message)) << row.text;
    }
  }
}

}  // namespace
}  // namespace quantc::lower
