// Every op against PyTorch, on the cases that tests/oracle/reference_oracle.py wrote into the
// folder named by the environment variable QUANTC_REFERENCE_CASES.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/mapped_file.h"
#include "ir/text.h"
#include "reference/executor.h"

namespace quantc::reference {
namespace {

struct Case {
  std::string name;
  double tolerance = 0;  ///< Relative L2 error; 0 asks for equal values.
};

std::filesystem::path folder() {
  const char* path = std::getenv("QUANTC_REFERENCE_CASES");
  return path == nullptr ? "" : path;
}

std::vector<Case> all_cases() {
  const std::filesystem::path list = folder() / "cases.txt";
  std::vector<Case> cases;
  if (!std::filesystem::exists(list)) return cases;
  std::istringstream rows(read_text(list));
  for (Case row; rows >> row.name >> row.tolerance;) cases.push_back(row);
  return cases;
}

ir::Tensor read_tensor(const ir::TensorType& type, const std::string& file) {
  return {type, map_file(folder() / file)};
}

template <typename T>
double relative_l2_error(const ir::Tensor& actual, const ir::Tensor& expected) {
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.values<T>().size(); ++i) {
    const double wanted = expected.values<T>()[i];
    error += std::pow(actual.values<T>()[i] - wanted, 2);
    norm += std::pow(wanted, 2);
  }
  EXPECT_GT(norm, 0) << "a case that zeros would pass";
  return std::sqrt(error / norm);
}

double relative_l2_error(const ir::Tensor& actual, const ir::Tensor& expected) {
  switch (expected.dtype()) {
    case ir::DType::kInt8:
      return relative_l2_error<std::int8_t>(actual, expected);
    case ir::DType::kUInt8:
      return relative_l2_error<std::uint8_t>(actual, expected);
    case ir::DType::kInt16:
      return relative_l2_error<std::int16_t>(actual, expected);
    case ir::DType::kInt32:
      return relative_l2_error<std::int32_t>(actual, expected);
    default:
      return relative_l2_error<float>(actual, expected);
  }
}

class Oracle : public testing::TestWithParam<Case> {};

TEST_P(Oracle, Agrees) {
  const std::string name = GetParam().name;
  const ir::Graph graph = ir::parse_graph(read_text(folder() / (name + ".graph")));
  std::vector<ir::Tensor> inputs;
  for (const ir::ValueId id : graph.inputs) {
    inputs.push_back(
        read_tensor(graph.value(id).type, name + ".input" + std::to_string(inputs.size())));
  }
  const ir::Tensor actual = execute(graph, inputs).at(0);
  const ir::Tensor expected = read_tensor(graph.value(graph.outputs.at(0)).type, name + ".output");
  // Written so that NaN fails.
  const double error = relative_l2_error(actual, expected);
  EXPECT_TRUE(error <= GetParam().tolerance) << "relative L2 error " << error;
}

INSTANTIATE_TEST_SUITE_P(PyTorch, Oracle, testing::ValuesIn(all_cases()),
                         [](const auto& row) { return row.param.name; });

TEST(OracleCases, CoverEveryOp) {
  std::set<std::string> ops;
  for (const Case& row : all_cases()) {
    const ir::Graph graph = ir::parse_graph(read_text(folder() / (row.name + ".graph")));
    ops.emplace(ir::name_of(graph.nodes.at(0).op));
  }
  EXPECT_EQ(ops.size(), std::variant_size_v<ir::Op>)
      << "in the folder '" << folder().string() << "': " << testing::PrintToString(ops);
}

}  // namespace
}  // namespace quantc::reference
