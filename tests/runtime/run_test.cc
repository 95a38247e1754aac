// Running a program layer by layer, and moving tensors in and out of it.
#include <gmock/gmock.h>

#include <array>

#include "mmalib_emulation.h"
#include "qc_run.h"
#include "tensors.h"

namespace quantc::runtime {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::StrEq;

// The program: arena[0] = input + 1, a call that MMALIB refuses, output = arena[0] * 2.
qc_status increment(const qc_memory* m) {
  m->arena[0] = static_cast<std::uint8_t>(*static_cast<const std::uint8_t*>(m->inputs[0]) + 1);
  return QC_OK;
}

qc_status refused(const qc_memory* m) {
  constexpr std::int32_t kChannels = MMALIB_MAX_CHANNELS_STRIDE1 + 1;
  static const std::vector<std::int8_t> kWeights(kChannels, 1);
  static const std::vector<std::int32_t> kBias(kChannels, 0);
  static const std::vector<std::uint8_t> kScale(kChannels, 1);
  static const std::vector<std::uint8_t> kShift(kChannels, 0);
  static const qc_mma_output kOut = {QC_MMA_HALF_UP, -128, 127};
  static const qc_mma_conv2d_params kParams = {.c_in = 1,
                                               .h_in = 1,
                                               .w_in = 1,
                                               .c_out = kChannels,
                                               .h_out = 1,
                                               .w_out = 1,
                                               .kernel_h = 1,
                                               .kernel_w = 1,
                                               .stride = 1,
                                               .groups = 1,
                                               .channels_per_call = kChannels};
  auto* arena = reinterpret_cast<std::int8_t*>(m->arena);
  return qc_mma_conv2d_i8(&kParams, &kOut, arena, kWeights.data(), kBias.data(), kScale.data(),
                          kShift.data(), arena + 64, arena + 128);
}

qc_status double_it(const qc_memory* m) {
  *static_cast<std::uint8_t*>(m->outputs[0]) = static_cast<std::uint8_t>(m->arena[0] * 2);
  return QC_OK;
}

constexpr qc_layout kOne = {1, 1, 1, 1, 1, 1, 1, 1};
constexpr qc_tensor kInput = {QC_INPUT, 0, 0, 1, kOne};
constexpr qc_tensor kArena = {QC_ARENA, 0, 0, 1, kOne};
constexpr qc_tensor kOutput = {QC_OUTPUT, 0, 0, 1, kOne};
constexpr qc_layer kIncrement = {"features.0", "increment", increment, 1, &kInput, kArena};
constexpr qc_layer kRefused = {
    "features.18.expand", "qc_mma_conv2d_i8", refused, 1, &kArena, kArena};
constexpr qc_layer kDouble = {"head", "double_it", double_it, 1, &kArena, kOutput};

class ProgramRun : public testing::Test {
 protected:
  qc_status run(const std::vector<qc_layer>& layers) {
    const qc_program program = {static_cast<std::int32_t>(layers.size()), layers.data()};
    return qc_run(&program, &memory_, &failure_);
  }

  std::uint8_t input_ = 20;
  std::uint8_t output_ = kFill;
  std::array<const void*, 1> inputs_ = {&input_};
  std::array<void*, 1> outputs_ = {&output_};
  alignas(64) std::array<std::uint8_t, 4096> arena_ = {};
  qc_memory memory_ = {arena_.data(), nullptr, inputs_.data(), outputs_.data()};
  qc_failure failure_ = {};
};

TEST_F(ProgramRun, CallsTheLayersInOrder) {
  EXPECT_EQ(run({kIncrement, kDouble}), QC_OK);
  EXPECT_EQ(output_, 42);
}

TEST_F(ProgramRun, StopsAtTheLayerThatTheLibraryRefuses) {
  EXPECT_EQ(run({kIncrement, kRefused, kDouble}), MMALIB_ERR_INVALID_DIMENSION);
  EXPECT_THAT(failure_.layer, StrEq("features.18.expand"));
  EXPECT_THAT(failure_.kernel, StrEq("qc_mma_conv2d_i8"));
  EXPECT_EQ(failure_.status, MMALIB_ERR_INVALID_DIMENSION);
  EXPECT_THAT(qc_status_text(failure_.status), StrEq("MMALIB: invalid dimension"));
  EXPECT_EQ(output_, kFill);
}

TEST_F(ProgramRun, FailsWithoutAFailureToFill) {
  const qc_program program = {1, &kRefused};
  EXPECT_EQ(qc_run(&program, &memory_, nullptr), MMALIB_ERR_INVALID_DIMENSION);
}

TEST_F(ProgramRun, OneLayerAlone) {
  const std::array layers = {kIncrement, kDouble};
  const qc_program program = {2, layers.data()};
  arena_[0] = 4;
  EXPECT_EQ(qc_run_layer(&program, 1, &memory_, &failure_), QC_OK);
  EXPECT_EQ(output_, 8);
  for (const std::int32_t index : {-1, 2}) {
    EXPECT_EQ(qc_run_layer(&program, index, &memory_, &failure_), QC_ERR_PARAMETER);
    EXPECT_EQ(failure_.status, QC_ERR_PARAMETER);
  }
}

TEST(StatusText, NamesEveryStatus) {
  for (const qc_status status : {QC_ERR_SHAPE, QC_ERR_PARAMETER, QC_ERR_NOT_FINITE, QC_ERR_IO}) {
    EXPECT_THAT(qc_status_text(status), testing::Not(StrEq("unknown status"))) << status;
  }
  EXPECT_THAT(qc_status_text(MMALIB_ERR_INVALID_VALUE), StrEq("MMALIB: invalid value"));
  EXPECT_THAT(qc_status_text(MMALIB_ERR_NOT_IMPLEMENTED), StrEq("MMALIB: not implemented"));
  EXPECT_THAT(qc_status_text(MMALIB_ERR_INVALID_SHIFT), StrEq("MMALIB: invalid shift"));
  EXPECT_THAT(qc_status_text(2013), StrEq("MMALIB: another status"));
  EXPECT_THAT(qc_status_text(-99), StrEq("unknown status"));
}

// ---- Tensors ----

// Two channels of four, in an arena of 1x4x2x3 codes, from channel 1 on.
class Slice : public testing::Test {
 protected:
  Slice() { arena_.fill(7); }

  alignas(64) std::array<std::uint8_t, 64> arena_ = {};
  qc_memory memory_ = {arena_.data(), nullptr, nullptr, nullptr};
  qc_tensor tensor_ = {QC_ARENA, 0, 1, 1, {1, 2, 2, 3, 24, 1, 12, 4}};
};

TEST_F(Slice, ScattersAndGathersInNchwOrder) {
  const std::vector<std::uint8_t> dense = {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16};
  ASSERT_EQ(qc_tensor_dense_bytes(&tensor_), dense.size());
  qc_tensor_scatter(&tensor_, &memory_, dense.data());
  const std::vector<std::uint8_t> pixels(arena_.begin(), arena_.begin() + 24);
  EXPECT_THAT(pixels, ElementsAre(7, 1, 11, 7, 7, 2, 12, 7, 7, 3, 13, 7, 7, 4, 14, 7, 7, 5, 15, 7,
                                  7, 6, 16, 7));
  std::vector<std::uint8_t> gathered(dense.size());
  qc_tensor_gather(&tensor_, &memory_, gathered.data());
  EXPECT_EQ(gathered, dense);
}

TEST_F(Slice, FillsItsElementsOnly) {
  qc_tensor_fill(&tensor_, &memory_, kFill);
  for (std::size_t i = 0; i < arena_.size(); ++i) {
    const bool inside = i < 24 && (i % 4 == 1 || i % 4 == 2);
    EXPECT_EQ(arena_.at(i), inside ? kFill : 7) << i;
  }
}

TEST_F(Slice, OfFloatsCountsElementsInFourBytes) {
  tensor_ = {QC_ARENA, 0, 8, 4, {1, 1, 2, 2, 4, 1, 3, 1}};
  const std::vector<float> dense = {1, 2, 3, 4};
  ASSERT_EQ(qc_tensor_dense_bytes(&tensor_), 16U);
  qc_tensor_scatter(&tensor_, &memory_, dense.data());
  std::vector<float> stored(5);
  std::memcpy(stored.data(), arena_.data() + 8, 20);
  stored.erase(stored.begin() + 2);
  EXPECT_THAT(stored, ElementsAre(1, 2, 3, 4));
}

TEST_F(Slice, OfABroadcastTensorReadsOneElement) {
  tensor_.layout = {1, 2, 2, 3, 0, 0, 0, 0};
  arena_[1] = 9;
  std::vector<std::uint8_t> gathered(12);
  qc_tensor_gather(&tensor_, &memory_, gathered.data());
  EXPECT_THAT(gathered, Each(9));
}

}  // namespace
}  // namespace quantc::runtime
