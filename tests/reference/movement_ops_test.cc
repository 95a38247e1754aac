// Ops that move elements: element types of every width, and indices that do not exist. Values of
// f32 are compared with PyTorch by oracle_test.cc.
#include <gmock/gmock.h>

#include "base/error.h"
#include "reference/executor.h"

namespace quantc::reference {
namespace {

using ir::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <typename T>
class Movement : public testing::Test {
 public:
  static std::vector<int> result(const ir::Op& op, const std::vector<Tensor>& inputs) {
    const Tensor y = evaluate(op, inputs);
    return {y.values<T>().begin(), y.values<T>().end()};
  }
};

using ElementTypes = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::int32_t,
                                    std::int64_t, float, double>;
TYPED_TEST_SUITE(Movement, ElementTypes);

TYPED_TEST(Movement, KeepsTheElements) {
  const Tensor x = Tensor::of<TypeParam>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor column = x.reshaped({6, 1});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {2, 0});
  EXPECT_THAT(this->result(ir::Transpose{{1, 0}}, {x}), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(this->result(ir::Slice{1, 0, 3, 2}, {x}), ElementsAre(1, 3, 4, 6));
  EXPECT_THAT(this->result(ir::Slice{0, 1, 2}, {x}), ElementsAre(4, 5, 6));
  EXPECT_THAT(this->result(ir::Expand{{6, 2}}, {column}),
              ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6));
  EXPECT_THAT(this->result(ir::Gather{1}, {x, indices}), ElementsAre(3, 1, 6, 4));
  EXPECT_THAT(this->result(ir::Concat{1}, {x, x}), ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
}

TEST(Gather, IndicesThatDoNotExistAreRefused) {
  const Tensor x = Tensor::of<float>({1, 3}, {1, 2, 3});
  const auto gather = [&](const Tensor& indices) {
    return [&x, indices] { evaluate(ir::Gather{1}, {x, indices}); };
  };
  EXPECT_THAT(
      gather(Tensor::of<std::int64_t>({2}, {0, 3})),
      ThrowsMessage<InputError>(HasSubstr("expected indices from 0 to 2, found 3 at element 1")));
  EXPECT_THAT(gather(Tensor::of<std::int32_t>({1}, {-1})),
              ThrowsMessage<InputError>(HasSubstr("found -1 at element 0")));
}

TEST(Pad, AroundEveryElementOfARow) {
  const Tensor y = evaluate(ir::Pad{{1, 0}, {0, 2}, 9}, {Tensor::of<float>({1, 2}, {1, 2})});
  const std::vector<float> values(y.values<float>().begin(), y.values<float>().end());
  EXPECT_THAT(values, ElementsAre(9, 9, 9, 9, 1, 2, 9, 9));
}

}  // namespace
}  // namespace quantc::reference
