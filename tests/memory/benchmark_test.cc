// Instances of a public benchmark, whose optimum is known.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "buffer_set.h"
#include "memory/plan.h"

namespace quantc::memory {
namespace {

struct Instance {
  std::vector<BufferSpec> buffers;
  std::vector<std::int64_t> offsets;  ///< Of the published placement, if there is one.
};

// Rows `id,lower,upper,size[,offset]` after a header. Times become call numbers: only their order
// counts. A size is scaled by `unit`.
Instance read_instance(const std::string& name, std::int64_t unit) {
  std::ifstream file("tests/data/memory/" + name);
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::int64_t> times;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stoll(cell));
    times.insert(times.end(), {rows.back().at(0), rows.back().at(1)});
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto rank = [&](std::int64_t time) {
    return std::lower_bound(times.begin(), times.end(), time) - times.begin();
  };
  Instance instance;
  for (const auto& row : rows) {
    instance.buffers.push_back({row[2] * unit, rank(row[0]), rank(row[1]) - 1});
    if (row.size() > 3) instance.offsets.push_back(row[3] * unit);
  }
  return instance;
}

TEST(Benchmark, TheSmallExampleReachesItsOptimum) {
  const Instance example = read_instance("input.12.csv", 64);
  ASSERT_EQ(example.buffers.size(), 5U);
  const Plan plan = plan_arena(program_of(example.buffers));
  EXPECT_EQ(plan.lower_bound, 12 * 64);
  EXPECT_EQ(plan.arena_bytes, 12 * 64);
}

struct Row {
  const char* file;
  std::size_t buffers;
  double over_optimum;  ///< What first fit reaches, 3 digits; solvers that search reach 1.
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.file; }

class HardInstance : public testing::TestWithParam<Row> {};

constexpr std::int64_t kCapacity = 1048576;

TEST_P(HardInstance, ThePublishedPlacementIsValid) {
  const Instance instance = read_instance(GetParam().file, 1);
  ASSERT_EQ(instance.buffers.size(), GetParam().buffers);
  const lower::Program program = program_of(instance.buffers);
  Plan plan{.offsets = instance.offsets, .arena_bytes = kCapacity, .lower_bound = kCapacity};
  EXPECT_NO_THROW(validate(program, plan));
}

TEST_P(HardInstance, ThePlanIsNearTheOptimum) {
  const Instance instance = read_instance(GetParam().file, 1);
  const Plan plan = plan_arena(program_of(instance.buffers));
  EXPECT_EQ(plan.lower_bound, kCapacity);
  EXPECT_LE(static_cast<double>(plan.arena_bytes) / kCapacity, GetParam().over_optimum + 0.001);
}

INSTANTIATE_TEST_SUITE_P(Challenging, HardInstance,
                         testing::Values(Row{"A.1048576.certificate.csv", 154, 1.290},
                                         Row{"F.1048576.certificate.csv", 296, 1.219}),
                         [](const auto& row) { return std::string(1, row.param.file[0]); });

}  // namespace
}  // namespace quantc::memory
