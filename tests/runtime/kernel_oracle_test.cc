// Every kernel against the cases that tests/oracle/kernel_oracle.py wrote into the file named as
// the only argument: outputs are the same to the bit, and nothing else is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iostream>
#include <set>

#include "kernel_cases.h"
#include "qc_kernels.h"
#include "qc_mmalib.h"

namespace quantc::runtime {
namespace {

bool same_bits(std::int8_t a, std::int8_t b) { return a == b; }
bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

template <typename T>
void expect_output(const Case& row, qc_status status, Tensor<T>& y) {
  ASSERT_EQ(status, QC_OK);
  const std::vector<T> expected = row.values<T>("y");
  const std::vector<T> actual = y.dense();
  ASSERT_EQ(actual.size(), expected.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same_bits(actual[i], expected[i])) continue;
    if (wrong++ == 0) {
      ADD_FAILURE() << "element " << i << ": expected " << +expected[i] << ", found " << +actual[i];
    }
  }
  EXPECT_EQ(wrong, 0U) << "of " << expected.size() << " elements";
  EXPECT_TRUE(y.surroundings_are_untouched());
}

// OIHW to the order of the generic kernels, OHWI.
std::vector<std::int8_t> ohwi(const Case& row) {
  const Sizes s = row.sizes("weight");
  const std::vector<std::int8_t> from = row.values<std::int8_t>("weight");
  std::vector<std::int8_t> to(from.size());
  for_each_element(nhwc(s), [&](std::size_t i, std::ptrdiff_t at) {
    to.at(static_cast<std::size_t>(at)) = from.at(i);
  });
  return to;
}

qc_requant requant(const Case& row) {
  return {row.integer("out", 0), row.integer("out", 1), row.integer("out", 2)};
}

template <typename T, typename Out, typename Kernel>
void run_conv2d(const Case& row, const Out& out, Kernel kernel) {
  auto x = row.placed<std::int8_t>("x", "x_layout");
  Tensor<T> y(row.word("y_layout"), row.sizes("y"));
  const qc_conv2d_params p = {.x = x.layout(),
                              .y = y.layout(),
                              .kernel_h = row.integer("kernel", 0),
                              .kernel_w = row.integer("kernel", 1),
                              .stride_h = row.integer("stride", 0),
                              .stride_w = row.integer("stride", 1),
                              .pad_top = row.integer("pad", 0),
                              .pad_left = row.integer("pad", 1),
                              .dilation_h = row.integer("dilation", 0),
                              .dilation_w = row.integer("dilation", 1),
                              .groups = row.integer("groups"),
                              .x_zero_point = row.integer("zero_point")};
  Scratch scratch(qc_conv2d_scratch_bytes(&p));
  const qc_status status =
      kernel(&p, &out, x.data(), ohwi(row).data(), row.values<std::int32_t>("bias").data(),
             row.values<float>("multiplier").data(), scratch.data(), y.data());
  expect_output(row, status, y);
  EXPECT_TRUE(scratch.surroundings_are_untouched());
}

void conv2d(const Case& row) { run_conv2d<std::int8_t>(row, requant(row), qc_conv2d_i8); }

void conv2d_f32(const Case& row) {
  const qc_float_clip clip = {row.real("clip", 0), row.real("clip", 1)};
  run_conv2d<float>(row, clip, qc_conv2d_i8_f32);
}

qc_mma_output mma_output(const Case& row) {
  return {row.word("rounding") == "half_up" ? QC_MMA_HALF_UP : QC_MMA_TRUNCATE,
          row.integer("out", 0), row.integer("out", 1)};
}

template <typename Kernel>
void run_mma_conv(const Case& row, Kernel kernel) {
  const Sizes x = row.sizes("x");
  Tensor<std::int8_t> y("planar", row.sizes("y"));
  const qc_mma_conv2d_params p = {.c_in = x.c,
                                  .h_in = x.h,
                                  .w_in = x.w,
                                  .c_out = y.layout().c,
                                  .h_out = y.layout().h,
                                  .w_out = y.layout().w,
                                  .kernel_h = row.integer("kernel", 0),
                                  .kernel_w = row.integer("kernel", 1),
                                  .stride = row.integer("stride"),
                                  .pad_top = row.integer("pad", 0),
                                  .pad_left = row.integer("pad", 1),
                                  .pad_bottom = row.integer("pad", 2),
                                  .pad_right = row.integer("pad", 3),
                                  .groups = row.integer("groups"),
                                  .pad_fill = row.integer("zero_point"),
                                  .channels_per_call = row.integer("stride") == 1 ? 1024 : 32};
  const qc_mma_output out = mma_output(row);
  Scratch scratch(qc_mma_conv2d_scratch_bytes(&p));
  const qc_status status = kernel(
      &p, &out, row.values<std::int8_t>("x").data(), row.values<std::int8_t>("weight").data(),
      row.values<std::int32_t>("bias").data(), row.values<std::uint8_t>("scale").data(),
      row.values<std::uint8_t>("shift").data(), scratch.data(), y.data());
  expect_output(row, status, y);
  EXPECT_TRUE(scratch.surroundings_are_untouched());
}

void mma_conv2d(const Case& row) { run_mma_conv(row, qc_mma_conv2d_i8); }
void mma_depthwise(const Case& row) { run_mma_conv(row, qc_mma_depthwise_i8); }

void mma_fc(const Case& row) {
  const auto padded = [](std::int32_t size) { return (size + 31) / 32 * 32; };
  const Sizes weight = row.sizes("weight");
  const std::int32_t n = weight.n;
  const std::int32_t k = weight.c;
  const qc_mma_fc_params p = {k, n, padded(k), padded(n)};
  const auto pad = [&](auto values, auto value) {
    values.resize(static_cast<std::size_t>(p.n_padded), value);
    return values;
  };
  const auto at = [&](std::int32_t i) { return static_cast<std::size_t>(i) * p.k_padded; };
  std::vector<std::int8_t> matrix(at(p.n_padded));
  const auto dense = row.values<std::int8_t>("weight");
  for (std::int32_t i = 0; i < n; ++i) {
    std::copy_n(dense.begin() + std::ptrdiff_t{i} * k, k,
                matrix.begin() + static_cast<std::ptrdiff_t>(at(i)));
  }
  const qc_mma_output out = mma_output(row);
  Tensor<std::int8_t> y("planar", row.sizes("y"));
  Scratch scratch(static_cast<std::size_t>(p.k_padded + p.n_padded));
  const qc_status status = qc_mma_fc_i8(
      &p, &out, row.values<std::int8_t>("x").data(), matrix.data(),
      pad(row.values<std::int32_t>("bias"), 0).data(),
      pad(row.values<std::uint8_t>("scale"), std::uint8_t{1}).data(),
      pad(row.values<std::uint8_t>("shift"), std::uint8_t{0}).data(), scratch.data(), y.data());
  expect_output(row, status, y);
  EXPECT_TRUE(scratch.surroundings_are_untouched());
}

void max_pool(const Case& row) {
  auto x = row.placed<std::int8_t>("x", "x_layout");
  Tensor<std::int8_t> y(row.word("y_layout"), row.sizes("y"));
  const qc_max_pool_params p = {.x = x.layout(),
                                .y = y.layout(),
                                .kernel_h = row.integer("kernel", 0),
                                .kernel_w = row.integer("kernel", 1),
                                .stride_h = row.integer("stride", 0),
                                .stride_w = row.integer("stride", 1),
                                .pad_top = row.integer("pad", 0),
                                .pad_left = row.integer("pad", 1),
                                .dilation_h = row.integer("dilation", 0),
                                .dilation_w = row.integer("dilation", 1)};
  expect_output(row, qc_max_pool_i8(&p, x.data(), y.data()), y);
}

template <typename T, typename Kernel>
void run_avg_pool(const Case& row, Kernel kernel) {
  auto x = row.placed<std::int8_t>("x", "x_layout");
  Tensor<T> y(row.word("y_layout"), row.sizes("y"));
  const auto ints = [&](const char* key) { return row.ints.at(key).data(); };
  const qc_avg_pool_params p = {.x = x.layout(),
                                .y = y.layout(),
                                .begin_h = ints("begin_h"),
                                .end_h = ints("end_h"),
                                .divisor_h = ints("divisor_h"),
                                .begin_w = ints("begin_w"),
                                .end_w = ints("end_w"),
                                .divisor_w = ints("divisor_w"),
                                .x_zero_point = row.integer("zero_point"),
                                .scale = row.real("scale")};
  expect_output(row, kernel(&p, x.data(), y.data()), y);
}

void avg_pool(const Case& row) {
  const qc_requant out = requant(row);
  run_avg_pool<std::int8_t>(
      row, [&](const auto* p, const auto* x, auto* y) { return qc_avg_pool_i8(p, &out, x, y); });
}

void avg_pool_f32(const Case& row) { run_avg_pool<float>(row, qc_avg_pool_i8_f32); }

void quantize(const Case& row) {
  auto x = row.placed<float>("x", "x_layout");
  Tensor<std::int8_t> y(row.word("y_layout"), row.sizes("y"));
  const qc_quantize_params p = {x.layout(), y.layout(), row.real("inv_scale"), requant(row)};
  expect_output(row, qc_quantize_f32_i8(&p, x.data(), y.data()), y);
}

void dequantize(const Case& row) {
  auto x = row.placed<std::int8_t>("x", "x_layout");
  Tensor<float> y(row.word("y_layout"), row.sizes("y"));
  const qc_dequantize_params p = {x.layout(), y.layout(), row.real("scale"),
                                  row.integer("zero_point")};
  expect_output(row, qc_dequantize_i8_f32(&p, x.data(), y.data()), y);
}

void copy(const Case& row) {
  auto x = row.placed<std::int8_t>("x", "x_layout");
  Tensor<std::int8_t> y(row.word("y_layout"), row.sizes("y"));
  const qc_copy_params p = {x.layout(), y.layout()};
  expect_output(row, qc_copy_i8(&p, x.data(), y.data()), y);
}

void lut(const Case& row) {
  auto x = row.placed<std::int8_t>("x", "x_layout");
  Tensor<std::int8_t> y(row.word("y_layout"), row.sizes("y"));
  const qc_lut_params p = {x.layout(), y.layout()};
  expect_output(row, qc_lut_i8(&p, x.data(), row.values<std::int8_t>("table").data(), y.data()), y);
}

// Both orders of the operands give the expected bytes.
void add(const Case& row) {
  auto a = row.placed<std::int8_t>("a", "a_layout");
  auto b = row.placed<std::int8_t>("b", "b_layout");
  const Sizes sizes = row.sizes("y");
  Tensor<std::int8_t> y(row.word("y_layout"), sizes);
  qc_add_params p = {.a = broadcast(a.layout(), sizes),
                     .b = broadcast(b.layout(), sizes),
                     .y = y.layout(),
                     .a_scale = row.real("scales", 0),
                     .b_scale = row.real("scales", 1),
                     .inv_scale = row.real("inv_scale"),
                     .a_zero_point = row.integer("zero_points", 0),
                     .b_zero_point = row.integer("zero_points", 1),
                     .out = requant(row)};
  expect_output(row, qc_add_i8(&p, a.data(), b.data(), y.data()), y);
  std::swap(p.a, p.b);
  std::swap(p.a_scale, p.b_scale);
  std::swap(p.a_zero_point, p.b_zero_point);
  Tensor<std::int8_t> swapped(row.word("y_layout"), sizes);
  expect_output(row, qc_add_i8(&p, b.data(), a.data(), swapped.data()), swapped);
}

using KernelTests = std::map<std::string, void (*)(const Case&)>;

const KernelTests& kernel_tests() {
  static const KernelTests kTests = {{"conv2d", conv2d},
                                     {"conv2d_f32", conv2d_f32},
                                     {"mma_conv2d", mma_conv2d},
                                     {"mma_depthwise", mma_depthwise},
                                     {"mma_fc", mma_fc},
                                     {"max_pool", max_pool},
                                     {"avg_pool", avg_pool},
                                     {"avg_pool_f32", avg_pool_f32},
                                     {"quantize", quantize},
                                     {"dequantize", dequantize},
                                     {"copy", copy},
                                     {"lut", lut},
                                     {"add", add}};
  return kTests;
}

class OracleTest : public testing::Test {
 public:
  explicit OracleTest(Case row) : row_(std::move(row)) {}
  void TestBody() override { kernel_tests().at(row_.kernel)(row_); }

 private:
  Case row_;
};

class EveryKernelTest : public testing::Test {
 public:
  explicit EveryKernelTest(std::set<std::string> kernels) : kernels_(std::move(kernels)) {}
  void TestBody() override { EXPECT_EQ(kernels_.size(), kernel_tests().size()); }

 private:
  std::set<std::string> kernels_;
};

void register_tests(const std::vector<Case>& cases) {
  std::set<std::string> kernels;
  for (const Case& row : cases) {
    kernels.insert(row.kernel);
    testing::RegisterTest("KernelOracle", row.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [row]() -> testing::Test* { return new OracleTest(row); });
  }
  testing::RegisterTest("KernelOracleCases", "CoverEveryKernel", nullptr, nullptr, __FILE__,
                        __LINE__,
                        [kernels]() -> testing::Test* { return new EveryKernelTest(kernels); });
}

}  // namespace
}  // namespace quantc::runtime

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " CASES\n";
    return 2;
  }
  quantc::runtime::register_tests(quantc::runtime::read_cases(argv[1]));
  return RUN_ALL_TESTS();
}
