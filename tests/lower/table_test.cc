// Functions of one code, compiled to tables: every code against the published formula.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiled.h"

namespace quantc::lower {
namespace {

struct Function {
  const char* op;
  double (*formula)(double);
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double hard_sigmoid(double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }

const Function kFunctions[] = {
    {"sigmoid", sigmoid},
    {"hard_sigmoid", hard_sigmoid},
    {"hard_swish", [](double x) { return x * hard_sigmoid(x); }},
    {"silu", [](double x) { return x * sigmoid(x); }},
    {"gelu", [](double x) { return x * (1 + std::erf(x / std::sqrt(2.0))) / 2; }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"relu", [](double x) { return std::max(x, 0.0); }},
};

TEST(Tables, EveryCodeOfEveryFunction) {
  constexpr float kScale = 0.04F;
  constexpr float kOutScale = 0.03F;
  std::vector<float> input;
  for (int q = -128; q < 128; ++q) input.push_back(static_cast<float>(q - 5) * kScale);
  for (const Function& function : kFunctions) {
    const std::string graph = "graph @table\ninput %x : f32[1,256]\n" +
                              quantized("x", "[1,256]", kScale, 5) +
                              "%y : f32[1,256] = " + function.op + "(%x.dq)\n" +
                              quantized("y", "[1,256]", kOutScale, -20) + "output %y.dq\n";
    const std::vector<float> found = run_compiled(graph, input);
    for (std::size_t i = 0; i < input.size(); ++i) {
      const double exact = function.formula(input[i]);
      const double code = std::clamp(std::nearbyint(exact / kOutScale) - 20, -128.0, 127.0);
      // Codes on the edge between two roundings may fall on either side.
      const double edge =
          std::abs(std::abs(exact / kOutScale - std::floor(exact / kOutScale)) - 0.5);
      if (edge < 1e-4) continue;
      EXPECT_NEAR(found[i], (code + 20) * kOutScale, 1e-5) << function.op << " " << input[i];
    }
  }
}

}  // namespace
}  // namespace quantc::lower
