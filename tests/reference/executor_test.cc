// The executor: inputs, errors, lifetimes, callbacks; and ops whose results are known by hand.
#include "reference/executor.h"

#include <gmock/gmock.h>

#include <memory>
#include <random>

#include "base/error.h"
#include "ir/text.h"

namespace quantc::reference {
namespace {

using ir::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> floats(const Tensor& tensor) {
  return {tensor.values<float>().begin(), tensor.values<float>().end()};
}

std::string message_of(const ir::Graph& graph, const std::vector<Tensor>& inputs) {
  try {
    execute(graph, inputs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

ir::Graph two_relus() {
  return ir::parse_graph(R"(graph @g
input %x : f32[2]
const %c : f32[2] = {1,-2}
%sum : f32[2] = add(%x, %c) # sum
%dead : f32[2] = relu(%sum) # dead
%flat : f32[2] = flatten(%sum, start_dim=0) # flat
%y : f32[2] = relu(%flat) # y
%z : f32[2] = relu(%y) # z
output %z
output %sum
output %c
)");
}

TEST(Executor, OutputsInTheGraphsOrder) {
  const auto outputs = execute(two_relus(), {Tensor::of<float>({2}, {3, 1})});
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_THAT(floats(outputs[0]), ElementsAre(4, 0));
  EXPECT_THAT(floats(outputs[1]), ElementsAre(4, -1));
  EXPECT_THAT(floats(outputs[2]), ElementsAre(1, -2));
}

TEST(Executor, CallbackSeesEveryComputedValueInOrder) {
  const ir::Graph graph = two_relus();
  std::vector<std::string> names;
  execute(graph, {Tensor::of<float>({2}, {3, 1})},
          [&](ir::ValueId id, const Tensor&) { names.push_back(graph.value(id).name); });
  EXPECT_THAT(names, ElementsAre("x", "sum", "dead", "flat", "y", "z"));
}

TEST(Executor, ValuesAreFreedAfterTheirLastUse) {
  const ir::Graph graph = ir::parse_graph(R"(graph @g
input %x : f32[2]
%a : f32[2] = relu(%x) # a
%dead : f32[2] = relu(%x) # dead
%b : f32[2] = relu(%a) # b
%c : f32[2] = relu(%b) # c
%d : f32[2] = add(%c, %b) # d
output %d
)");
  std::map<std::string, std::weak_ptr<const void>> bytes;
  std::map<std::string, std::vector<std::string>> alive;  // while a value is defined
  execute(graph, {Tensor::of<float>({2}, {3, 1})}, [&](ir::ValueId id, const Tensor& tensor) {
    const std::string name = graph.value(id).name;
    for (const auto& [other, owner] : bytes) {
      if (!owner.expired() && other != "x") alive[name].push_back(other);
    }
    bytes[name] = tensor.data().owner;
  });
  EXPECT_THAT(alive["b"], ElementsAre("a"));  // %dead has no reader
  EXPECT_THAT(alive["c"], ElementsAre("b"));
  EXPECT_THAT(alive["d"], ElementsAre("b", "c"));
}

TEST(Executor, ReshapedTensorsShareTheirBytes) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(evaluate(ir::Flatten{0}, {x}).bytes().data(), x.bytes().data());
  EXPECT_EQ(evaluate(ir::Reshape{{3, -1}}, {x}).bytes().data(), x.bytes().data());
}

TEST(Executor, WrongInputsAreRefused) {
  const ir::Graph graph = two_relus();
  EXPECT_THAT(message_of(graph, {}), HasSubstr("expected 1 inputs, found 0"));
  EXPECT_THAT(message_of(graph, {Tensor::of<float>({3}, {0, 0, 0})}),
              HasSubstr("input x: expected f32[2], found f32[3]"));
  EXPECT_THAT(message_of(graph, {Tensor::of<std::int32_t>({2}, {0, 0})}),
              HasSubstr("expected f32[2], found i32[2]"));
}

TEST(Executor, ErrorsNameTheNode) {
  const ir::Graph graph = ir::parse_graph(R"(graph @g
input %x : f32[3]
%q : i8[3] = quantize(%x, dtype=i8, scale=[0.5], zero_point=[0], axis=none, qmin=-128, qmax=127) # layer1.quantize
output %q
)");
  EXPECT_THAT(message_of(graph, {Tensor::of<float>({3}, {0, 1, kNaN})}),
              HasSubstr("layer1.quantize: expected numbers, found NaN at element 2"));
}

TEST(Executor, RunsAreDeterministic) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  const auto noise = [&](ir::Shape shape) {
    std::vector<float> values(static_cast<std::size_t>(ir::element_count(shape)));
    for (float& value : values) value = normal(random);
    return Tensor::of(std::move(shape), values);
  };
  const std::vector<std::pair<ir::Op, std::vector<Tensor>>> rows = {
      {ir::Conv2d{.padding = {1, 1, 1, 1}}, {noise({1, 256, 14, 14}), noise({64, 256, 3, 3})}},
      {ir::Linear{}, {noise({3, 4096}), noise({200, 4096})}},
      {ir::ConvTranspose2d{.stride = {2, 2}}, {noise({1, 64, 9, 9}), noise({64, 32, 4, 4})}},
  };
  for (const auto& [op, inputs] : rows) {
    const std::vector<float> first = floats(evaluate(op, inputs));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(floats(evaluate(op, inputs)), first) << ir::name_of(op);
  }
}

TEST(Convolution, BiasFollowsTheChannelNotTheBatch) {
  const Tensor y = evaluate(ir::Conv2d{}, {Tensor::of<float>({2, 1, 2, 2}, std::vector<float>(8)),
                                           Tensor::of<float>({3, 1, 1, 1}, {0, 0, 0}),
                                           Tensor::of<float>({3}, {1, 2, 3})});
  const std::vector<float> image = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
  std::vector<float> batch = image;
  batch.insert(batch.end(), image.begin(), image.end());
  EXPECT_EQ(floats(y), batch);
}

TEST(Convolution, GroupsReadTheirOwnChannels) {
  const Tensor y = evaluate(ir::Conv2d{.groups = 2},
                            {Tensor::of<float>({1, 4, 1, 1}, {1, 2, 3, 4}),
                             Tensor::of<float>({4, 2, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_THAT(floats(y), ElementsAre(5, 11, 39, 53));
}

TEST(Convolution, SidesOfThePaddingAreNotSwapped) {
  const Tensor x = Tensor::of<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Tensor ones = Tensor::of<float>({1, 1, 2, 2}, {1, 1, 1, 1});
  EXPECT_THAT(floats(evaluate(ir::Conv2d{.padding = {0, 0, 1, 1}}, {x, ones})),
              ElementsAre(12, 16, 9, 24, 28, 15, 15, 17, 9));
  EXPECT_THAT(floats(evaluate(ir::Conv2d{.padding = {1, 1, 0, 0}}, {x, ones})),
              ElementsAre(1, 3, 5, 5, 12, 16, 11, 24, 28));
}

TEST(Convolution, OutputPaddingOfAStrideOrMoreIsRefused) {
  const ir::ConvTranspose2d op{.stride = {1, 2}, .output_padding = {0, 2}, .dilation = {3, 3}};
  const Tensor one = Tensor::of<float>({1, 1, 1, 1}, {1});
  EXPECT_THAT(
      [&] {
        evaluate(op, {one, one});
      },
      testing::ThrowsMessage<UnsupportedError>(
          HasSubstr("expected output_padding below the stride, found [0,2]")));
}

// torch.relu and torch.clamp keep NaN; so does the maximum of a window.
TEST(Elementwise, NaNIsKept) {
  const Tensor x = Tensor::of<float>({1, 1, 1, 2}, {kNaN, 1});
  for (const ir::Op& op : {ir::Op{ir::Relu{}}, ir::Op{ir::Clip{0, 6}}, ir::Op{ir::Clip{2, 2}},
                           ir::Op{ir::MaxPool2d{.kernel = {1, 2}}}}) {
    EXPECT_TRUE(std::isnan(floats(evaluate(op, {x}))[0])) << ir::name_of(op);
  }
}

}  // namespace
}  // namespace quantc::reference
