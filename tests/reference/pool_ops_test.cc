// Pooling at the borders. Expected values are torch.nn.functional's.
#include <gmock/gmock.h>

#include "reference/executor.h"

namespace quantc::reference {
namespace {

struct Row {
  const char* what;
  ir::Op op;
  ir::Shape shape;
  std::vector<float> x;
  std::vector<float> y;
};

const std::vector<float> kOneTo16 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

std::vector<Row> rows() {
  return {
      {"end padding counts",
       ir::AvgPool2d{.kernel = {2, 2}, .padding = {0, 0, 1, 1}},
       {1, 1, 2, 2},
       {8, 8, 8, 8},
       {8, 4, 4, 2}},
      {"end padding does not count",
       ir::AvgPool2d{.kernel = {2, 2}, .padding = {0, 0, 1, 1}, .count_include_pad = false},
       {1, 1, 2, 2},
       {8, 8, 8, 8},
       {8, 8, 8, 8}},
      {"the divisor stops at the padded edge",
       ir::AvgPool2d{
           .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}, .ceil_mode = true},
       {1, 1, 4, 4},
       kOneTo16,
       {14.0F / 9, 10.0F / 3, 2, 19.0F / 3, 11, 6, 4.5F, 7.5F, 4}},
      {"the divisor counts elements only",
       ir::AvgPool2d{.kernel = {3, 3},
                     .stride = {2, 2},
                     .padding = {1, 1, 1, 1},
                     .ceil_mode = true,
                     .count_include_pad = false},
       {1, 1, 4, 4},
       kOneTo16,
       {3.5F, 5, 6, 9.5F, 11, 12, 13.5F, 15, 16}},
      {"no window begins in the end padding",
       ir::MaxPool2d{
           .kernel = {1, 2}, .stride = {1, 3}, .padding = {0, 1, 0, 1}, .ceil_mode = true},
       {1, 1, 1, 2},
       {5, 7},
       {5}},
      {"padding never wins",
       ir::MaxPool2d{.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}},
       {1, 1, 2, 2},
       {-4, -3, -2, -1},
       {-1}},
  };
}

TEST(Pooling, Borders) {
  for (const Row& row : rows()) {
    const ir::Tensor y = evaluate(row.op, {ir::Tensor::of(row.shape, row.x)});
    EXPECT_THAT(y.values<float>(), testing::ElementsAreArray(row.y)) << row.what;
  }
}

}  // namespace
}  // namespace quantc::reference
