// What programs mean that write to tensors, and which of them are refused.
#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "frontend/pt2/import.h"
#include "pt2_files.h"
#include "reference/executor.h"

namespace quantc::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> run(const std::vector<TestNode>& nodes, const std::string& output) {
  const ir::Graph graph = import_pt2(archive_of(program_json(nodes, {output})), "small");
  const ir::Tensor x = ir::Tensor::of<float>({2, 3}, {-2, -1, 0, 1, 2, 3});
  const ir::Tensor y = reference::execute(graph, {x}).at(0);
  return {y.values<float>().begin(), y.values<float>().end()};
}

std::string refusal(const std::vector<TestNode>& nodes, const std::string& output) {
  try {
    run(nodes, output);
  } catch (const UnsupportedError& error) {
    return error.what();
  } catch (const InputError& error) {
    return std::string("input: ") + error.what();
  }
  return "none";
}

TestNode unary(const std::string& name, const std::string& target, const std::string& x) {
  return {name, target, {{"self", tensor(x)}}};
}

TEST(InPlace, LaterReadersOfEveryNameOfTheTensorSeeTheChange) {
  const std::vector<TestNode> nodes = {
      unary("tanh", "tanh.default", "x"),
      unary("alias", "alias.default", "tanh"),
      unary("relu_", "relu_.default", "tanh"),
      {"sub", "sub.Tensor", {{"self", tensor("alias")}, {"other", tensor("relu_")}}},
      {"add", "add.Tensor", {{"self", tensor("sub")}, {"other", tensor("tanh")}}},
      {"mul", "mul.Tensor", {{"self", tensor("add")}, {"other", R"({"as_int": 0})"}}},
  };
  EXPECT_THAT(run(nodes, "mul"), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(run(nodes, "add"),
              ElementsAre(0, 0, 0, std::tanh(1.0F), std::tanh(2.0F), std::tanh(3.0F)));
}

TEST(InPlace, ACopyDoesNotFollow) {
  EXPECT_THAT(run({unary("clone", "clone.default", "x"), unary("relu_", "relu_.default", "clone"),
                   unary("alias", "alias.default", "x")},
                  "alias"),
              ElementsAre(-2, -1, 0, 1, 2, 3));
}

TEST(InPlace, AChangedTensorOfWhichAViewIsReadLaterIsRefused) {
  const TestNode view = {
      "view", "view.default", {{"self", tensor("x")}, {"size", R"({"as_ints": [6]})"}}};
  EXPECT_THAT(
      refusal({view, unary("relu_", "relu_.default", "x"), unary("exp", "exp.default", "view")},
              "exp"),
      AllOf(HasSubstr("relu_"), HasSubstr("view, which may share its memory")));
  EXPECT_EQ(
      refusal({view, unary("exp", "exp.default", "view"), unary("relu_", "relu_.default", "x")},
              "exp"),
      "none");
}

TEST(InPlace, AChangeOfAParameterIsRefused) {
  EXPECT_THAT(refusal({unary("relu_", "relu_.default", "p_w")}, "relu_"),
              HasSubstr("changes w, a parameter"));
}

TEST(InPlace, SlicesOfACopyWriteToTheCopyOnly) {
  const std::vector<TestNode> nodes = {
      unary("clone", "clone.default", "p_w"),
      {"slice", "slice.Tensor", {{"self", tensor("clone")}, {"start", R"({"as_int": -1})"}}},
      {"fill_", "fill_.Scalar", {{"self", tensor("slice")}, {"value", R"({"as_int": 7})"}}},
      {"mul", "mul.Tensor", {{"self", tensor("clone")}, {"other", tensor("p_w")}}},
      {"add", "add.Tensor", {{"self", tensor("x")}, {"other", tensor("mul")}}},
  };
  EXPECT_THAT(run(nodes, "add"), ElementsAre(-1, 3, 21, 2, 6, 24));
}

TEST(Defaults, AlphaAndInfiniteBounds) {
  EXPECT_THAT(
      run({{"add", "add.Tensor", {{"self", tensor("x")}, {"other", tensor("p_w")}}}}, "add"),
      ElementsAre(-1, 1, 3, 2, 4, 6));
  for (const char* infinity : {R"("Infinity")", "Infinity"}) {
    EXPECT_THAT(run({{"clamp",
                      "clamp.default",
                      {{"self", tensor("x")},
                       {"min", R"({"as_int": 0})"},
                       {"max", fmt::format(R"({{"as_float": {}}})", infinity)}}}},
                    "clamp"),
                ElementsAre(0, 0, 0, 1, 2, 3));
  }
}

// w + x * (x^T * x), by hand.
TEST(Decomposed, ProductsOfMatrices) {
  const std::vector<TestNode> nodes = {
      unary("t", "t.default", "x"),
      {"mm", "mm.default", {{"self", tensor("t")}, {"mat2", tensor("x")}}},
      {"addmm",
       "addmm.default",
       {{"self", tensor("p_w")}, {"mat1", tensor("x")}, {"mat2", tensor("mm")}}},
  };
  EXPECT_THAT(run(nodes, "addmm"), ElementsAre(-13, -11, -9, 23, 34, 45));
}

TEST(Decomposed, AScatteredSliceChangesNoOtherTensor) {
  const std::pair<std::string, std::string> last = {"start", R"({"as_int": -1})"};
  const std::vector<TestNode> nodes = {
      {"slice", "slice.Tensor", {{"self", tensor("p_w")}, last}},
      {"fill", "fill.Scalar", {{"self", tensor("slice")}, {"value", R"({"as_int": 7})"}}},
      {"scatter",
       "slice_scatter.default",
       {{"self", tensor("p_w")}, {"src", tensor("fill")}, last}},
      {"mul", "mul.Tensor", {{"self", tensor("scatter")}, {"other", tensor("p_w")}}},
      {"add", "add.Tensor", {{"self", tensor("x")}, {"other", tensor("mul")}}},
  };
  EXPECT_THAT(run(nodes, "add"), ElementsAre(-1, 3, 21, 2, 6, 24));
}

TEST(Decomposed, ResultsForTrainingMayNotBeRead) {
  const TestNode norm = {"norm",
                         "native_layer_norm.default",
                         {{"input", tensor("x")},
                          {"normalized_shape", R"({"as_ints": [3]})"},
                          {"weight", tensor("p_w")},
                          {"bias", R"({"as_none": true})"},
                          {"eps", R"({"as_float": 0.0})"}},
                         {"mean", "rstd"}};
  const float step = std::sqrt(1.5F);  // of (x - mean) / deviation
  EXPECT_THAT(run({norm}, "norm"),
              testing::Pointwise(testing::FloatNear(1e-6F),
                                 {-step, 0.0F, 3 * step, -step, 0.0F, 3 * step}));
  EXPECT_THAT(refusal({norm, unary("relu", "relu.default", "rstd")}, "relu"),
              HasSubstr("norm: its result 2, rstd, is read; only the first 1 can be"));
}

struct Refused {
  const char* what;
  TestNode node;
  const char* message;
};

TEST(Arguments, WrongOnesAreNamed) {
  const auto self = std::pair<std::string, std::string>{"self", tensor("x")};
  const std::vector<Refused> rows = {
      {"another type",
       {"sum", "mean.dim", {self, {"dim", R"({"as_string": "all"})"}}},
       "input: aten.mean.dim: sum: argument dim: expected integers, found text"},
      {"a flag as number",
       {"y", "mul.Tensor", {self, {"other", R"({"as_bool": true})"}}},
       "input: aten.mul.Tensor: y: argument other: expected a number, found a flag"},
      {"a missing argument",
       {"y", "mul.Tensor", {self}},
       "input: aten.mul.Tensor: y: the argument other is missing"},
      {"an unknown argument",
       {"y", "relu.default", {self, {"slope", R"({"as_int": 1})"}}},
       "aten.relu.default: y: the argument slope is not known"},
      {"an argument twice",
       {"y", "relu.default", {self, self}},
       "input: aten.relu.default: y: the argument self is given twice"},
      {"an undefined name",
       {"y", "relu.default", {{"self", tensor("z")}}},
       "input: aten.relu.default: y: reads z, which no input or earlier node defines"},
      {"a name that is taken",
       {"x", "relu.default", {self}},
       "input: aten.relu.default: x: defines x a second time"},
      {"a dimension too many",
       {"y", "softmax.int", {self, {"dim", R"({"as_int": 2})"}}},
       "input: aten.softmax.int: y: expected a dimension from -2 to 1, found 2"},
      {"a symbolic size",
       {"y", "view.default", {self, {"size", R"({"as_sym_ints": [{"as_name": "s0"}]})"}}},
       "aten.view.default: y: size depends on the symbolic size s0; export without dynamic_shapes"},
      {"two kinds at once",
       {"y", "relu.default", {{"self", R"({"as_int": 1, "as_float": 2})"}}},
       "input: program: y: self: arg: expected an object of one member"},
      {"a number that is no integer",
       {"y", "softmax.int", {self, {"dim", R"({"as_int": 1.5})"}}},
       "input: program: y: dim: as_int: expected an integer, found 1.5"},
      {"a comparison of activations",
       {"y", "eq.Scalar", {self, {"other", R"({"as_int": 0})"}}},
       "aten.eq.Scalar: y: self: expected a constant, found a value that is computed from the "
       "input"},
      {"a factor on a product",
       {"y",
        "addmm.default",
        {{"self", tensor("p_w")},
         {"mat1", tensor("x")},
         {"mat2", tensor("x")},
         {"beta", R"({"as_int": 2})"}}},
       "aten.addmm.default: y: expected beta = 1 and alpha = 1"},
      {"more chunks than results",
       {"y", "chunk.default", {self, {"chunks", R"({"as_int": 3})"}, {"dim", R"({"as_int": 1})"}}},
       "aten.chunk.default: y: expected 3 results"},
  };
  for (const Refused& row : rows) {
    SCOPED_TRACE(row.what);
    EXPECT_THAT(refusal({row.node}, row.node.name), testing::StartsWith(row.message));
  }
}

TEST(Operators, AllThatAreNotSupportedAreListed) {
  EXPECT_THAT(refusal({unary("a", "sinc.default", "x"), unary("b", "relu.default", "a"),
                       unary("c", "erfinv.default", "b")},
                      "c"),
              HasSubstr("a: aten.sinc.default is not supported; operators of this program that are "
                        "not: aten.erfinv.default, aten.sinc.default."));
}

}  // namespace
}  // namespace quantc::frontend
