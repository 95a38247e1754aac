// Shape rules. Expected sizes are PyTorch's: the pooling rows are torch.nn.functional's output
// sizes.
#include "ir/shapes.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace quantc::ir {
namespace {

TensorType f32(Shape shape) { return {DType::kFloat32, std::move(shape)}; }

struct PoolRow {
  std::int64_t input, kernel, stride, padding, dilation;
  bool ceil_mode;
  std::int64_t output;
};

TEST(Shapes, PooledSizesArePyTorchs) {
  const PoolRow rows[] = {
      {54, 3, 2, 0, 1, true, 27}, {54, 3, 2, 0, 1, false, 26}, {112, 3, 2, 1, 1, false, 56},
      {2, 2, 3, 1, 1, true, 1},   {4, 3, 2, 1, 1, true, 3},    {5, 2, 2, 0, 2, false, 2},
      {7, 3, 3, 0, 1, true, 3},   {1, 1, 1, 0, 1, false, 1},   {2, 3, 2, 0, 1, true, 1},
      {2, 3, 2, 0, 1, false, 0},
  };
  for (const PoolRow& row : rows) {
    EXPECT_EQ(pooled_size(row.input, row.kernel, row.stride, row.padding, row.padding, row.dilation,
                          row.ceil_mode),
              row.output)
        << row.input << " k" << row.kernel << " s" << row.stride;
  }
}

TEST(Shapes, OutputsOfOps) {
  const Conv2d grouped{.stride = {2, 1}, .padding = {0, 1, 2, 1}, .dilation = {1, 2}, .groups = 2};
  EXPECT_EQ(infer_type(grouped, {f32({1, 4, 9, 9}), f32({6, 2, 3, 3}), f32({6})}),
            f32({1, 6, 5, 7}));
  const ConvTranspose2d up{.stride = {2, 2}, .padding = {1, 1, 1, 1}, .output_padding = {1, 1}};
  EXPECT_EQ(infer_type(up, {f32({1, 2, 5, 5}), f32({2, 3, 3, 3})}), f32({1, 3, 10, 10}));
  EXPECT_EQ(infer_type(Linear{}, {f32({2, 7, 8}), f32({5, 8})}), f32({2, 7, 5}));
  EXPECT_EQ(infer_type(Add{}, {f32({2, 1, 4}), f32({3, 1})}), f32({2, 3, 4}));
  EXPECT_EQ(infer_type(Reshape{{0 + 2, -1}}, {f32({4, 3})}), f32({2, 6}));
  EXPECT_EQ(infer_type(Concat{1}, {f32({1, 2, 5}), f32({1, 3, 5})}), f32({1, 5, 5}));
}

TEST(Shapes, MisfitsAreRefusedByName) {
  const std::pair<Op, std::vector<TensorType>> misfits[] = {
      {Conv2d{}, {f32({1, 3, 8, 8}), f32({4, 4, 3, 3})}},
      {Conv2d{}, {f32({1, 3, 2, 2}), f32({4, 3, 3, 3})}},
      {Conv2d{}, {f32({1, 3, 8}), f32({4, 3, 3, 3})}},
      {Conv2d{.groups = 0}, {f32({1, 3, 8, 8}), f32({4, 3, 3, 3})}},
      {Conv2d{.stride = {0, 1}}, {f32({1, 3, 8, 8}), f32({4, 3, 3, 3})}},
      {Conv2d{}, {f32({1, 3, 8, 8}), f32({4, 3, 3, 3}), f32({1, 4})}},
      {ConvTranspose2d{.output_padding = {1, 0}}, {f32({1, 3, 8, 8}), f32({3, 4, 3, 3})}},
      {Linear{}, {f32({1, 3}), f32({4, 5})}},
      {Add{}, {f32({2}), f32({3})}},
      {Concat{1}, {f32({1, 2, 5}), f32({1, 2, 6})}},
      {Reshape{{7, -1}}, {f32({4, 3})}},
      {Flatten{2}, {f32({4, 3})}},
      {MaxPool2d{.kernel = {2, 2}, .padding = {2, 2, 2, 2}}, {f32({1, 1, 4, 4})}},
      {Relu{}, {{DType::kInt64, {3}}}},
      {Clip{.min = 1, .max = 0}, {f32({3})}},
  };
  for (const auto& [op, inputs] : misfits) {
    EXPECT_THROW(infer_type(op, inputs), UnsupportedError) << name_of(op);
  }
}

}  // namespace
}  // namespace quantc::ir
