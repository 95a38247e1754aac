// Calibration data that cannot be used, and what a small network becomes.
#include <gmock/gmock.h>

#include <limits>
#include <memory>

#include "base/error.h"
#include "ir/text.h"
#include "quantize/quantize.h"

namespace quantc::quantize {
namespace {

ir::Graph network() {
  return ir::parse_graph(R"(graph @net
input %x : f32[1,1,1,4]
const %w : f32[1,1,1,1] = {0.5}
const %b : f32[1] = {0.26}
%c : f32[1,1,1,4] = conv2d(%x, %w, %b) # c
%r : f32[1,1,1,4] = relu(%c) # r
%y : f32[1,1,1,4] = conv2d(%r, %w, %b) # y
output %y
)");
}

Quantized quantized(const std::vector<std::vector<float>>& batches,
                    const QuantizeOptions& options = {.observer = ObserverKind::kMinMax}) {
  std::size_t next = 0;
  return quantize(
      network(),
      [&]() -> std::optional<ir::Tensor> {
        if (next == batches.size()) return std::nullopt;
        return ir::Tensor::of({1, 1, 1, 4}, batches[next++]);
      },
      options);
}

std::string refusal(const std::vector<std::vector<float>>& batches) {
  try {
    quantized(batches);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Calibration, UnusableDataIsRefusedByName) {  // onnxruntime#23749
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(refusal({{kNan, 1, 2, 3}}), testing::HasSubstr("calibration of x"));
  EXPECT_THAT(refusal({{1, 2, 3, 4}, {kInf, 1, 2, 3}}), testing::HasSubstr("calibration of x"));
  EXPECT_THAT(refusal({}), testing::HasSubstr("expected at least one picture"));
}

TEST(Calibration, EmptyAndConstantRangesGiveUsableScales) {
  EXPECT_EQ(refusal({{-9, -9, -9, -9}}), "");  // relu sees only negatives: range 0..0
  EXPECT_EQ(refusal({{0, 0, 0, 0}}), "");
  EXPECT_EQ(refusal({{5, 5, 5, 5}}), "");
}

// Memory must not grow with the number of photos: nothing holds on to an input that was observed.
TEST(Calibration, InputsAreNotKept) {
  std::vector<std::weak_ptr<const void>> given;
  quantize(network(),
           [&]() -> std::optional<ir::Tensor> {
             for (const auto& earlier : given) EXPECT_TRUE(earlier.expired());
             if (given.size() == 5) return std::nullopt;
             const auto input = ir::Tensor::of<float>({1, 1, 1, 4}, {-1, 0, 1, 4});
             given.emplace_back(input.data().owner);
             return input;
           },
           {});
  EXPECT_EQ(given.size(), 5U);
}

TEST(Calibration, TheGraphItMakes) {
  // x in [-1, 4]: scale 5/255, zero point -77; r in [0, 2.26]: scale 2.26/255, zero point -128.
  const Quantized result = quantized({{-1, 0, 1, 4}});
  EXPECT_EQ(ir::to_text(result.graph), R"(graph @net
input %x : f32[1,1,1,4]
const %w.codes : i8[1,1,1,1] = {127}
const %b.codes : i32[1] = {3368}
const %w.codes.1 : i8[1,1,1,1] = {127}
const %b.codes.1 : i32[1] = {7451}
%x.quantize : i8[1,1,1,4] = quantize(%x, dtype=i8, scale=[0.019607844], zero_point=[-77], axis=none, qmin=-128, qmax=127) # x.quantize
%x.dequantize : f32[1,1,1,4] = dequantize(%x.quantize, dtype=i8, scale=[0.019607844], zero_point=[-77], axis=none, qmin=-128, qmax=127) # x.dequantize
%w.dequantize : f32[1,1,1,1] = dequantize(%w.codes, dtype=i8, scale=[0.003937008], zero_point=[0], axis=0, qmin=-127, qmax=127) # w.dequantize
%b.dequantize : f32[1] = dequantize(%b.codes, dtype=i32, scale=[7.719624e-05], zero_point=[0], axis=0, qmin=-2147483647, qmax=2147483647) # b.dequantize
%c : f32[1,1,1,4] = conv2d(%x.dequantize, %w.dequantize, %b.dequantize, stride=[1,1], padding=[0,0,0,0], dilation=[1,1], groups=1) # c
%r : f32[1,1,1,4] = relu(%c) # r
%r.quantize : i8[1,1,1,4] = quantize(%r, dtype=i8, scale=[0.008862745], zero_point=[-128], axis=none, qmin=-128, qmax=127) # r.quantize
%r.dequantize : f32[1,1,1,4] = dequantize(%r.quantize, dtype=i8, scale=[0.008862745], zero_point=[-128], axis=none, qmin=-128, qmax=127) # r.dequantize
%w.dequantize.1 : f32[1,1,1,1] = dequantize(%w.codes.1, dtype=i8, scale=[0.003937008], zero_point=[0], axis=0, qmin=-127, qmax=127) # w.dequantize
%b.dequantize.1 : f32[1] = dequantize(%b.codes.1, dtype=i32, scale=[3.4892695e-05], zero_point=[0], axis=0, qmin=-2147483647, qmax=2147483647) # b.dequantize
%y : f32[1,1,1,4] = conv2d(%r.dequantize, %w.dequantize.1, %b.dequantize.1, stride=[1,1], padding=[0,0,0,0], dilation=[1,1], groups=1) # y
output %y
)");
}

}  // namespace
}  // namespace quantc::quantize
