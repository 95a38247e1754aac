// Numbers at the ends of the float range, whose results are known by definition or were printed by
// PyTorch. Everything else is compared with PyTorch by oracle_test.cc.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "reference/executor.h"

namespace quantc::reference {
namespace {

using ir::Tensor;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

float result(const ir::Op& op, const std::vector<float>& operands) {
  std::vector<Tensor> inputs;
  inputs.reserve(operands.size());
  for (const float operand : operands) inputs.push_back(Tensor::of<float>({1}, {operand}));
  return evaluate(op, inputs).values<float>()[0];
}

TEST(Elementwise, EndsOfTheRange) {
  struct Row {
    ir::Op op;
    std::vector<float> operands;
    float expected;
  };
  const std::vector<Row> rows = {
      {ir::Exp{}, {0}, 1},
      {ir::Exp{}, {89}, kInfinity},
      {ir::Exp{}, {kInfinity}, kInfinity},
      {ir::Exp{}, {-110}, 0},
      {ir::Exp{}, {-kInfinity}, 0},
      {ir::Sigmoid{}, {0}, 0.5F},
      {ir::Sigmoid{}, {kInfinity}, 1},
      {ir::Sigmoid{}, {-kInfinity}, 0},
      {ir::Silu{}, {1000}, 1000},
      {ir::Silu{}, {-1000}, 0},
      {ir::Gelu{}, {1000}, 1000},
      {ir::Gelu{}, {-1000}, 0},
      {ir::Gelu{.tanh_form = true}, {1000}, 1000},
      {ir::Gelu{.tanh_form = true}, {-1000}, 0},
      {ir::HardSigmoid{}, {3}, 1},
      {ir::HardSigmoid{}, {-3}, 0},
      {ir::HardSwish{}, {-4}, 0},
      {ir::HardSwish{}, {5}, 5},
      {ir::Tanh{}, {100}, 1},
      {ir::Div{}, {1, 0}, kInfinity},
      {ir::Sub{}, {kInfinity, 1}, kInfinity},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(result(row.op, row.operands), row.expected)
        << ir::name_of(row.op) << " of " << row.operands[0];
  }
}

TEST(Elementwise, NaNStaysNaN) {
  for (const ir::Op& op :
       {ir::Op(ir::Exp{}), ir::Op(ir::Sigmoid{}), ir::Op(ir::Silu{}), ir::Op(ir::Gelu{}),
        ir::Op(ir::Gelu{.tanh_form = true}), ir::Op(ir::HardSigmoid{}), ir::Op(ir::HardSwish{}),
        ir::Op(ir::Tanh{}), ir::Op(ir::Sqrt{}), ir::Op(ir::Softmax{0}), ir::Op(ir::Mean{{0}}),
        ir::Op(ir::ReduceL2{{0}})}) {
    EXPECT_TRUE(std::isnan(result(op, {kNaN}))) << ir::name_of(op);
  }
  EXPECT_TRUE(std::isnan(result(ir::Sqrt{}, {-1})));
  EXPECT_TRUE(std::isnan(result(ir::Div{}, {0, 0})));
}

// exp of both ends and of every size of number between, against the math library in double.
TEST(Elementwise, ExpIsRightOverTheWholeRange) {
  std::vector<float> x;
  for (int i = -10400; i < 8870; ++i) x.push_back(static_cast<float>(i) * 0.01F);
  for (int i = -100; i < 0; ++i) x.insert(x.end(), {std::ldexp(1.1F, i), -std::ldexp(1.1F, i)});
  const Tensor y = evaluate(ir::Exp{}, {Tensor::of({static_cast<std::int64_t>(x.size())}, x)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::exp(static_cast<double>(x[i]));
    const double smallest = std::numeric_limits<float>::denorm_min();
    ASSERT_NEAR(y.values<float>()[i], expected, 2e-7 * expected + smallest) << x[i];
  }
}

// Rows that are shifted or scaled out of the range of exp.
TEST(Softmax, LargeNumbers) {
  const Tensor x = Tensor::of<float>({2, 3}, {1000, 1000, -1000, -kInfinity, -5000, -kInfinity});
  const Tensor y = evaluate(ir::Softmax{1}, {x});
  const std::vector<float> values(y.values<float>().begin(), y.values<float>().end());
  EXPECT_THAT(values, testing::ElementsAre(0.5F, 0.5F, 0, 0, 1, 0));
}

// The variance of numbers far from 0, which a sum of squares in float would lose.
TEST(LayerNorm, FarFromZero) {
  const Tensor x = Tensor::of<float>({4}, {10000, 10001, 10002, 10003});
  const Tensor one = Tensor::of<float>({4}, {1, 1, 1, 1});
  const Tensor zero = Tensor::of<float>({4}, {0, 0, 0, 0});
  const Tensor y = evaluate(ir::LayerNorm{.eps = 0}, {x, one, zero});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(y.values<float>()[i], (static_cast<float>(i) - 1.5F) / std::sqrt(1.25F));
  }
}

}  // namespace
}  // namespace quantc::reference
