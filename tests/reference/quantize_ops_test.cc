// Quantize against the golden codes of PyTorch's quantized_decomposed ops, and its refusals.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "reference/executor.h"

namespace quantc::reference {
namespace {

using nlohmann::json;

const json& golden() {
  static const json data = json::parse(read_text("tests/data/quantize/golden_quant.json"));
  return data;
}

std::vector<int> codes_of(const ir::QuantParams& params, const ir::Tensor& x) {
  const ir::Tensor q = evaluate(ir::Quantize{params}, {x});
  return {q.values<std::int8_t>().begin(), q.values<std::int8_t>().end()};
}

TEST(Quantize, TiesAndSaturationArePyTorchs) {
  const json& row = golden().at("round");
  const auto x = row.at("x").get<std::vector<float>>();
  const ir::QuantParams params{.scale = {row.at("scale")}, .zero_point = {row.at("zp")}};
  EXPECT_EQ(codes_of(params, ir::Tensor::of({static_cast<std::int64_t>(x.size())}, x)),
            row.at("q").get<std::vector<int>>());
}

TEST(Quantize, ChannelsArePyTorchs) {
  const ir::Tensor weight =
      ir::Tensor::of({4, 3, 3, 3}, golden().at("w").get<std::vector<float>>());
  for (const int qmin : {-128, -127}) {
    const json& row = golden().at("perchannel_" + std::to_string(qmin));
    const ir::QuantParams params{
        .qmin = qmin, .scale = row.at("scale"), .zero_point = {0, 0, 0, 0}, .axis = 0};
    EXPECT_EQ(codes_of(params, weight), row.at("q").get<std::vector<int>>()) << qmin;
  }
}

struct Refusal {
  const char* message;
  ir::QuantParams params;
};

TEST(Quantize, UnusableParametersAreRefused) {
  const std::vector<Refusal> refusals = {
      {"expected 1 scales and zero points, found 0 and 1", {.zero_point = {0}}},
      {"expected 2 scales and zero points, found 1 and 1",
       {.scale = {1}, .zero_point = {0}, .axis = 1}},
      {"expected an axis of [1,2], found 2", {.scale = {1}, .zero_point = {0}, .axis = 2}},
      {"inside [-128,127], found [0,255]",
       {.qmin = 0, .qmax = 255, .scale = {1}, .zero_point = {0}}},
      {"inside [0,255], found [-1,255]",
       {.dtype = ir::DType::kUInt8, .qmin = -1, .qmax = 255, .scale = {1}, .zero_point = {0}}},
      {"found [1,0]", {.qmin = 1, .qmax = 0, .scale = {1}, .zero_point = {0}}},
      {"expected codes of i8, u8, i16 or i32, found f32",
       {.dtype = ir::DType::kFloat32, .scale = {1}, .zero_point = {0}}},
  };
  for (const Refusal& refusal : refusals) {
    try {
      evaluate(ir::Quantize{refusal.params}, {ir::Tensor::of<float>({1, 2}, {1, 2})});
      ADD_FAILURE() << "accepted; expected: " << refusal.message;
    } catch (const UnsupportedError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(refusal.message));
    }
  }
}

TEST(Quantize, ProductsThatAreNoNumbersAreRefused) {
  // 1 / 1e-40 is infinite in float32.
  EXPECT_THROW(codes_of({.scale = {1e-40F}, .zero_point = {0}}, ir::Tensor::of<float>({1}, {0})),
               InputError);
}

TEST(Quantize, InfinitySaturates) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(codes_of({.scale = {1}, .zero_point = {5}},
                       ir::Tensor::of<float>({2}, {infinity, -infinity})),
              testing::ElementsAre(127, -128));
}

}  // namespace
}  // namespace quantc::reference
