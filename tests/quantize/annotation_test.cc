// Which values each preset quantizes, and which share their parameters.
#include "quantize/annotation.h"

#include <gmock/gmock.h>

#include "ir/text.h"

namespace quantc::quantize {
namespace {

const char* const kFire = R"(graph @fire
input %x : f32[1,4,8,8]
const %w1 : f32[4,4,1,1] = {...}
const %w2 : f32[4,4,1,1] = {...}
%a : f32[1,4,8,8] = conv2d(%x, %w1) # a
%ar : f32[1,4,8,8] = relu(%a) # ar
%b : f32[1,4,8,8] = conv2d(%x, %w2) # b
%br : f32[1,4,8,8] = relu(%b) # br
%cat : f32[1,8,8,8] = concat(%ar, %br, axis=1) # cat
%p : f32[1,8,4,4] = max_pool2d(%cat, kernel=[2,2], stride=[2,2]) # p
%m : f32[1,8,1,1] = adaptive_avg_pool2d(%p, output=[1,1]) # m
%f : f32[1,8] = flatten(%m, start_dim=1) # f
output %f
)";

std::vector<std::string> quantized(const ir::Graph& graph, const Annotation& annotation) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (annotation.values[i].quantized) names.push_back(graph.values[i].name);
  }
  return names;
}

ir::ValueId id_of(const ir::Graph& graph, std::string_view name) {
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (graph.values[i].name == name) return static_cast<ir::ValueId>(i);
  }
  return -1;
}

bool share(const ir::Graph& graph, const Annotation& annotation, std::string_view a,
           std::string_view b) {
  const auto group = [&](std::string_view name) {
    return annotation.values[static_cast<std::size_t>(id_of(graph, name))].group;
  };
  return group(a) == group(b);
}

TEST(Annotation, QuantcObservesBehindTheActivation) {
  const ir::Graph graph = ir::parse_graph(kFire);
  const Annotation annotation = annotate(graph, {Preset::kQuantc});
  // Neither the convolutions' own results nor the float output.
  EXPECT_THAT(quantized(graph, annotation), testing::ElementsAre("x", "ar", "br", "cat", "p"));
  EXPECT_TRUE(share(graph, annotation, "ar", "cat"));
  EXPECT_TRUE(share(graph, annotation, "br", "cat"));
  EXPECT_TRUE(share(graph, annotation, "p", "cat"));
  EXPECT_FALSE(share(graph, annotation, "x", "cat"));
}

TEST(Annotation, QuantizeOutputsReachesTheEnd) {
  const ir::Graph graph = ir::parse_graph(kFire);
  const Annotation annotation = annotate(graph, {Preset::kQuantc, true});
  EXPECT_THAT(quantized(graph, annotation),
              testing::ElementsAre("x", "ar", "br", "cat", "p", "m", "f"));
}

TEST(Annotation, C7xSharesTheConvolutionsObserverAndLeavesConcatAlone) {
  const ir::Graph graph = ir::parse_graph(kFire);
  const Annotation annotation = annotate(graph, {Preset::kC7xMma});
  EXPECT_THAT(quantized(graph, annotation),
              testing::ElementsAre("x", "a", "ar", "b", "br", "cat", "p", "m", "f"));
  EXPECT_TRUE(share(graph, annotation, "a", "ar"));
  EXPECT_FALSE(share(graph, annotation, "ar", "cat"));
  EXPECT_FALSE(share(graph, annotation, "p", "m"));
  EXPECT_TRUE(share(graph, annotation, "m", "f"));
  // The pool reads codes of the concatenation, which is not annotated itself.
  const auto& cat = annotation.values[static_cast<std::size_t>(id_of(graph, "cat"))];
  EXPECT_FALSE(cat.for_all_readers);
}

TEST(Annotation, ALayerWithTwoReadersIsQuantizedItself) {
  const ir::Graph graph = ir::parse_graph(R"(graph @residual
input %x : f32[1,4,8,8]
const %w : f32[4,4,1,1] = {...}
%c : f32[1,4,8,8] = conv2d(%x, %w) # c
%r : f32[1,4,8,8] = relu(%c) # r
%s : f32[1,4,8,8] = add(%c, %r) # s
%t : f32[1,4,8,8] = relu(%s) # t
%u : f32[1,4,8,8] = conv2d(%t, %w) # u
output %u
)");
  EXPECT_THAT(quantized(graph, annotate(graph, {Preset::kQuantc})),
              testing::ElementsAre("x", "c", "r", "t"));
}

}  // namespace
}  // namespace quantc::quantize
