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
  const std::vector<PoolRow> rows = {
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

struct OutputRow {
  Op op;
  std::vector<TensorType> inputs;
  TensorType output;
};

TEST(Shapes, OutputsAreThoseOfPyTorch) {
  const TensorType i64{DType::kInt64, {7, 2}};
  const std::vector<OutputRow> rows = {
      {Sub{}, {f32({5, 1, 4}), f32({3, 1})}, f32({5, 3, 4})},
      {Mul{}, {f32({}), f32({2, 3})}, f32({2, 3})},
      {Div{}, {f32({2, 3}), f32({2, 1})}, f32({2, 3})},
      {Sigmoid{}, {f32({2, 3})}, f32({2, 3})},
      {Gelu{}, {f32({})}, f32({})},
      {Matmul{}, {f32({5, 7}), f32({7, 3})}, f32({5, 3})},
      {Matmul{}, {f32({4, 1, 5, 7}), f32({3, 7, 6})}, f32({4, 3, 5, 6})},
      {Softmax{2}, {f32({2, 3, 4})}, f32({2, 3, 4})},
      {LayerNorm{}, {f32({2, 3, 4}), f32({4}), f32({4})}, f32({2, 3, 4})},
      {LayerNorm{.normalized_dims = 2}, {f32({2, 3, 4}), f32({3, 4}), f32({3, 4})}, f32({2, 3, 4})},
      {Mean{.axes = {2, 3}}, {f32({2, 3, 4, 5})}, f32({2, 3})},
      {Mean{.axes = {3, 0}, .keepdim = true}, {f32({2, 3, 4, 5})}, f32({1, 3, 4, 1})},
      {ReduceL2{.axes = {0}}, {f32({2})}, f32({})},
      {Transpose{{2, 0, 1}}, {f32({2, 3, 4})}, f32({4, 2, 3})},
      {Transpose{{1, 0}}, {i64}, {DType::kInt64, {2, 7}}},
      {Slice{.axis = 1, .start = 1, .end = 8, .step = 3}, {f32({2, 9})}, f32({2, 3})},
      {Slice{.axis = 0, .start = 0, .end = 2}, {f32({2, 9})}, f32({2, 9})},
      {Pad{.before = {0, 1}, .after = {2, 3}}, {f32({2, 9})}, f32({4, 13})},
      {Expand{{5, 2, 3}}, {f32({2, 1})}, f32({5, 2, 3})},
      {Gather{1}, {f32({4, 5, 6}), i64}, f32({4, 7, 2, 6})},
      {Gather{0}, {f32({4}), {DType::kInt32, {}}}, f32({})},
      {Concat{0}, {f32({2}), f32({3}), f32({4})}, f32({9})},
  };
  for (const OutputRow& row : rows) {
    EXPECT_EQ(to_string(infer_type(row.op, row.inputs)), to_string(row.output)) << name_of(row.op);
  }
}

struct MisfitRow {
  Op op;
  std::vector<TensorType> inputs;
  const char* message;
};

void expect_refusal(const MisfitRow& row) {
  try {
    infer_type(row.op, row.inputs);
    ADD_FAILURE() << "accepted; expected: " << row.message;
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(std::string(name_of(row.op)) + ": expected "));
    EXPECT_THAT(error.what(), testing::HasSubstr(row.message));
  }
}

TEST(Shapes, RefusalsSayExpectedAndFound) {
  const TensorType i64{DType::kInt64, {3}};
  const std::vector<MisfitRow> rows = {
      {Add{}, {f32({2}), f32({3})}, "shapes that broadcast, found [2] and [3]"},
      {Mul{}, {f32({2})}, "2 inputs, found 1"},
      {Sub{}, {f32({3}), i64}, "f32, found i64[3]"},
      {Silu{}, {i64}, "f32, found i64[3]"},
      {Exp{}, {f32({2}), f32({2})}, "1 inputs, found 2"},
      {Matmul{}, {f32({5, 7}), f32({6, 3})}, "a second operand [...,7,n], found f32[6,3]"},
      {Matmul{}, {f32({7}), f32({7, 3})}, "f32 of rank 2 or more, found f32[7]"},
      {Matmul{}, {f32({2, 5, 7}), f32({3, 7, 4})}, "shapes that broadcast, found [2] and [3]"},
      {Softmax{2}, {f32({2, 3})}, "a rank above axis = 2, which is 0 or more, found f32[2,3]"},
      {Softmax{-1}, {f32({2, 3})}, "axis = -1"},
      {LayerNorm{}, {f32({2, 3}), f32({3})}, "3 inputs, found 2"},
      {LayerNorm{}, {f32({2, 3}), f32({2}), f32({3})}, "weight f32[3], found f32[2]"},
      {LayerNorm{}, {f32({2, 3}), f32({3}), f32({1})}, "bias f32[3], found f32[1]"},
      {LayerNorm{.normalized_dims = 0}, {f32({2}), f32({}), f32({})}, "normalized_dims = 0"},
      {LayerNorm{.normalized_dims = 2}, {f32({2}), f32({2}), f32({2})}, "normalized_dims = 2"},
      {Mean{}, {f32({2, 3})}, "one axis or more, found none"},
      {Mean{.axes = {1, 1}}, {f32({2, 3})}, "distinct axes, found [1,1]"},
      {ReduceL2{.axes = {2}}, {f32({2, 3})}, "axis = 2"},
      {Transpose{{0, 0}}, {f32({2, 3})}, "dimensions [0,0] permutes, found f32[2,3]"},
      {Transpose{{0}}, {f32({2, 3})}, "dimensions [0] permutes"},
      {Transpose{{0, 1, 2}}, {f32({2, 3})}, "dimensions [0,1,2] permutes"},
      {Slice{.axis = 1, .end = 4}, {f32({2, 3})}, "0 <= start < end <= 3, found start 0 and end 4"},
      {Slice{.axis = 1, .start = 2, .end = 2}, {f32({2, 3})}, "found start 2 and end 2"},
      {Slice{.axis = 1, .start = -1, .end = 2}, {f32({2, 3})}, "found start -1"},
      {Slice{.axis = 2, .end = 1}, {f32({2, 3})}, "axis = 2"},
      {Slice{.axis = 1, .end = 1, .step = 0}, {f32({2, 3})}, "step from 1 to 16777216, found 0"},
      {Pad{.before = {0}, .after = {0, 0}}, {f32({2, 3})}, "before = [0] and after = [0,0]"},
      {Pad{.before = {0, -1}, .after = {0, 0}},
       {f32({2, 3})},
       "padding from 0 to 16777216, found -1"},
      {Pad{.before = {0}, .after = {0}}, {i64}, "f32, found i64[3]"},
      {Expand{{2, 4}}, {f32({2, 3})}, "shapes that broadcast, found [2,3] and [2,4]"},
      {Expand{{3}}, {f32({2, 3})}, "a tensor that broadcasts to [3], found f32[2,3]"},
      {Expand{{1, 3}}, {f32({2, 3})}, "a tensor that broadcasts to [1,3], found f32[2,3]"},
      {Expand{{2, -1}}, {f32({2, 1})}, "an output with positive sizes, found f32[2,-1]"},
      {Gather{0}, {f32({3}), f32({3})}, "indices of i32 or i64, found f32[3]"},
      {Gather{1}, {f32({3}), i64}, "axis = 1"},
      {Relu{}, {f32({2, 0})}, "an input with positive sizes, found f32[2,0]"},
      {Expand{{1 << 20, 1 << 20}}, {f32({1})}, "an output of at most 68719476736 elements"},
      {Reshape{{std::int64_t{1} << 32, std::int64_t{1} << 32}}, {f32({1})}, "found f32[1]"},
      {Conv2d{.stride = {std::int64_t{1} << 40, 1}},
       {f32({1, 1, 1, 1}), f32({1, 1, 1, 1})},
       "stride from 1 to 16777216, found 1099511627776"},
  };
  for (const MisfitRow& row : rows) expect_refusal(row);
}

TEST(Shapes, MisfitsAreRefusedByName) {
  const std::vector<std::pair<Op, std::vector<TensorType>>> misfits = {
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
