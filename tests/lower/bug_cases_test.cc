// Bugs that other systems shipped, compiled and run on both paths. Expected values are exact
// integers from the reports.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.h"
#include "compiled.h"
#include "ir/text.h"
#include "lower/lower.h"

namespace quantc::lower {
namespace {

using testing::ElementsAreArray;

class BothPaths : public testing::TestWithParam<bool> {
 protected:
  std::vector<float> run(const std::string& graph, const std::vector<float>& input) const {
    return run_compiled(graph, input, {.mmalib = GetParam()});
  }
};
INSTANTIATE_TEST_SUITE_P(Path, BothPaths, testing::Values(false, true),
                         [](const auto& param) { return param.param ? "mmalib" : "generic"; });

std::vector<float> counting(int count) {
  std::vector<float> values;
  for (int i = 1; i <= count; ++i) values.push_back(static_cast<float>(i));
  return values;
}

// onnxruntime#11525: padding [0,0,1,1] is not [1,1,0,0].
TEST_P(BothPaths, AsymmetricPadding) {
  const std::string graph = "graph @g\ninput %x : f32[1,1,3,3]\n" + quantized("x", "[1,1,3,3]") +
                            weights("w", "[1,1,2,2]", {1, 1, 1, 1}) +
                            "%y : f32[1,1,3,3] = conv2d(%x.dq, %w.dq, padding=[0,0,1,1])\n" +
                            quantized("y", "[1,1,3,3]") + "output %y.dq\n";
  EXPECT_THAT(run(graph, counting(9)), ElementsAreArray({12, 16, 9, 24, 28, 15, 15, 17, 9}));
}

// tvm#13364: padding is the zero point. All ones, zero point -3: corners 4, edges 6, inside 9.
TEST_P(BothPaths, PaddingIsTheZeroPoint) {
  for (const char* groups : {"1", "2"}) {
    const bool depthwise = std::string(groups) == "2";
    const std::string shape = depthwise ? "[1,2,4,4]" : "[1,1,4,4]";
    const std::string w = depthwise ? "[2,1,3,3]" : "[1,1,3,3]";
    const std::string graph =
        "graph @g\ninput %x : f32" + shape + "\n" + quantized("x", shape, 1, -3) +
        weights("w", w, std::vector<int>(depthwise ? 18 : 9, 1)) +
        fmt::format("%y : f32{} = conv2d(%x.dq, %w.dq, padding=[1,1,1,1], groups={})\n", shape,
                    groups) +
        quantized("y", shape, 1, 5) + "output %y.dq\n";
    std::vector<float> expected = {4, 6, 6, 4, 6, 9, 9, 6, 6, 9, 9, 6, 4, 6, 6, 4};
    if (depthwise) expected.insert(expected.end(), expected.begin(), expected.end());
    EXPECT_THAT(run(graph, std::vector<float>(expected.size(), 1)), ElementsAreArray(expected));
  }
}

// ncnn#1581: each group has its own inputs.
TEST_P(BothPaths, Groups) {
  const std::string graph = "graph @g\ninput %x : f32[1,4,1,1]\n" + quantized("x", "[1,4,1,1]") +
                            weights("w", "[4,2,1,1]", {1, 2, 3, 4, 5, 6, 7, 8}) +
                            "%y : f32[1,4,1,1] = conv2d(%x.dq, %w.dq, groups=2)\n" +
                            quantized("y", "[1,4,1,1]") + "output %y.dq\n";
  EXPECT_THAT(run(graph, {1, 2, 3, 4}), ElementsAreArray({5, 11, 39, 53}));
}

// executorch#18783: a 1x3 kernel with stride [1,2].
TEST_P(BothPaths, KernelsOfOneRow) {
  const std::string graph =
      "graph @g\ninput %x : f32[1,1,2,4]\n" + quantized("x", "[1,1,2,4]") +
      weights("w", "[1,1,1,3]", {1, 2, 4}) +
      "%y : f32[1,1,2,2] = conv2d(%x.dq, %w.dq, stride=[1,2], padding=[0,1,0,1])\n" +
      quantized("y", "[1,1,2,2]") + "output %y.dq\n";
  EXPECT_THAT(run(graph, counting(8)), ElementsAreArray({10, 24, 34, 52}));
}

// mlx#3979 and a DSP library's limit: many output channels must not become zeros.
TEST_P(BothPaths, ManyOutputChannels) {
  for (const int channels : {512, 1023, 1024, 1025, 1280, 2048, 4097}) {
    std::vector<int> codes;
    std::vector<float> expected;
    for (int o = 0; o < channels; ++o) {
      codes.push_back(o % 63 + 1);
      expected.insert(expected.end(), 4, 2.0F * static_cast<float>(o % 63 + 1));
    }
    const std::string y = fmt::format("[1,{},2,2]", channels);
    const std::string graph = "graph @g\ninput %x : f32[1,1,2,2]\n" + quantized("x", "[1,1,2,2]") +
                              weights("w", fmt::format("[{},1,1,1]", channels), codes) +
                              fmt::format("%y : f32{} = conv2d(%x.dq, %w.dq)\n", y) +
                              quantized("y", y) + "output %y.dq\n";
    EXPECT_EQ(run(graph, {2, 2, 2, 2}), expected) << channels;
  }
}

// onnxruntime#11660: a ReLU stays when the quantized range does not imply it.
TEST_P(BothPaths, ReluIsKeptWithSymmetricParameters) {
  const std::string graph = "graph @g\ninput %x : f32[1,1,1,5]\n" + quantized("x", "[1,1,1,5]") +
                            weights("w", "[1,1,1,1]", {1}) +
                            "%c : f32[1,1,1,5] = conv2d(%x.dq, %w.dq)\n"
                            "%y : f32[1,1,1,5] = relu(%c)\n" +
                            quantized("y", "[1,1,1,5]") + "output %y.dq\n";
  EXPECT_THAT(run(graph, {-2, -1, 0, 1, 2}), ElementsAreArray({0, 0, 0, 1, 2}));
}

TEST_P(BothPaths, ClipIsKeptWhereConcatWidensTheRange) {
  const std::string graph =
      "graph @g\ninput %x : f32[1,1,1,3]\n" + quantized("x", "[1,1,1,3]") +
      weights("w", "[1,1,1,1]", {1}) +
      "%c : f32[1,1,1,3] = conv2d(%x.dq, %w.dq)\n%r : f32[1,1,1,3] = clip(%c, min=0, max=6)\n" +
      quantized("r", "[1,1,1,3]") + "%y : f32[1,2,1,3] = concat(%r.dq, %x.dq, axis=1)\n" +
      quantized("y", "[1,2,1,3]") + "output %y.dq\n";
  EXPECT_THAT(run(graph, {10, -2, 3}), ElementsAreArray({6, 0, 3, 10, -2, 3}));
}

// onnx2c#7: the bias belongs to the output channel.
TEST_P(BothPaths, BiasByChannel) {
  const std::string graph = "graph @g\ninput %x : f32[1,1,2,2]\n" + quantized("x", "[1,1,2,2]") +
                            weights("w", "[3,1,1,1]", {0, 0, 0}) + "const %b : f32[3] = {1,2,3}\n" +
                            "%y : f32[1,3,2,2] = conv2d(%x.dq, %w.dq, %b)\n" +
                            quantized("y", "[1,3,2,2]") + "output %y.dq\n";
  EXPECT_THAT(run(graph, {0, 0, 0, 0}), ElementsAreArray({1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
}

// tvm#19577: a value that a later layer still reads is not overwritten.
TEST_P(BothPaths, BuffersOfLaterReadersStay) {
  const std::string graph =
      "graph @g\ninput %x : f32[1,1,1,4]\n" + quantized("x", "[1,1,1,4]") +
      "%s : f32[1,1,1,4] = add(%x.dq, %x.dq)\n" + quantized("s", "[1,1,1,4]") +
      "%t : f32[1,1,1,4] = add(%s.dq, %x.dq)\n" + quantized("t", "[1,1,1,4]") +
      "%y : f32[1,3,1,4] = concat(%t.dq, %x.dq, %s.dq, axis=1)\n" + quantized("y", "[1,3,1,4]") +
      "output %y.dq\n";
  EXPECT_THAT(run(graph, {1, 2, 3, 4}), ElementsAreArray({3, 6, 9, 12, 1, 2, 3, 4, 2, 4, 6, 8}));
}

// A linear layer reads a flattened image in channel, row, column order, however it lies in memory.
TEST_P(BothPaths, FlattenKeepsTheOrderOfChannels) {
  const std::string graph =
      "graph @g\ninput %x : f32[1,2,2,2]\n" + quantized("x", "[1,2,2,2]") +
      weights("k", "[2,2,1,1]", {1, 0, 0, 1}) + "%c : f32[1,2,2,2] = conv2d(%x.dq, %k.dq)\n" +
      quantized("c", "[1,2,2,2]") + "%f : f32[1,8] = flatten(%c.dq, start_dim=1)\n" +
      quantized("f", "[1,8]") +
      weights("w", "[2,8]", {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1}) +
      "%y : f32[1,2] = linear(%f.dq, %w.dq)\noutput %y\n";
  EXPECT_THAT(run(graph, {1, 0, 0, 2, 0, 0, 1, 1}), ElementsAreArray({1 + 8 + 7 + 8, 1}));
}

TEST(Lower, TransposesStandOnlyWhereLayoutsMeet) {
  // Dilation keeps the middle convolution off MMALIB: one copy in front of it, one behind.
  const std::string graph =
      "graph @g\ninput %x : f32[1,2,4,4]\n" + quantized("x", "[1,2,4,4]") +
      weights("w", "[2,2,1,1]", {1, 0, 0, 1}) + weights("d", "[2,2,2,2]", std::vector<int>(16, 1)) +
      "%a : f32[1,2,4,4] = conv2d(%x.dq, %w.dq)\n" + quantized("a", "[1,2,4,4]") +
      "%b : f32[1,2,2,2] = conv2d(%a.dq, %d.dq, dilation=[2,2])\n" + quantized("b", "[1,2,2,2]") +
      "%y : f32[1,2,2,2] = conv2d(%b.dq, %w.dq)\n" + quantized("y", "[1,2,2,2]") + "output %y.dq\n";
  const auto copies = [&](bool mmalib) {
    const Program program = lower(ir::parse_graph(graph), {.mmalib = mmalib});
    return std::count_if(program.calls.begin(), program.calls.end(), [](const Call& call) {
      return std::holds_alternative<CopyI8>(call.kernel);
    });
  };
  EXPECT_EQ(copies(false), 0);
  EXPECT_EQ(copies(true), 2);
}

TEST(Lower, AFloatLayerIsRefusedByName) {
  const std::string graph =
      "graph @g\ninput %x : f32[1,1,2,2]\nconst %w : f32[1,1,1,1] = {1}\n"
      "%y : f32[1,1,2,2] = conv2d(%x, %w) # features.0\noutput %y\n";
  try {
    lower(ir::parse_graph(graph), {});
    ADD_FAILURE() << "accepted";
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("features.0: conv2d has no integer kernel"));
  }
}

// A library that refuses must end the run with the layer's name, never with zeros.
TEST(Lower, AKernelThatRefusesEndsTheRun) {
  const std::string graph = "graph @g\ninput %x : f32[1,1,2,2]\n" + quantized("x", "[1,1,2,2]") +
                            weights("w", "[1100,1,1,1]", std::vector<int>(1100, 1)) +
                            "%y : f32[1,1100,2,2] = conv2d(%x.dq, %w.dq) # features.7\n" +
                            quantized("y", "[1,1100,2,2]") + "output %y.dq\n";
  Program program = lower(ir::parse_graph(graph), {.mmalib = true});
  for (Call& call : program.calls) {
    if (auto* conv = std::get_if<MmaConv2d>(&call.kernel)) conv->shape.channels_per_call = 2048;
  }
  try {
    run_program(program, {1, 2, 3, 4}, {1, 1, 2, 2}, {1, 1100, 2, 2});
    ADD_FAILURE() << "ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("features.7"));
    EXPECT_THAT(error.what(), testing::HasSubstr("qc_mma_conv2d_i8"));
    EXPECT_THAT(error.what(), testing::HasSubstr("status 4"));
  }
}

}  // namespace
}  // namespace quantc::lower
