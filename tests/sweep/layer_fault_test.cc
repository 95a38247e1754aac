// The bounds of the layer judgement.
#include <gmock/gmock.h>

#include "sweep/layer_judge.h"

namespace quantc::sweep {
namespace {

LayerDifference layer(bool offloaded, std::int64_t differing, std::int64_t max_lsb) {
  return {.layer = "conv1",
          .kernel = "kernel",
          .offloaded = offloaded,
          .elements = 10000,
          .differing = differing,
          .max_lsb = max_lsb};
}

TEST(LayerFault, WithinTheBounds) {
  EXPECT_EQ(layer_fault({layer(false, 10, 1), layer(true, 20, 1)}), "");
}

TEST(LayerFault, TwoLsbAreNamed) {
  EXPECT_EQ(layer_fault({layer(false, 1, 2)}), "layer conv1 (kernel) differs by 2 LSB");
}

TEST(LayerFault, SharesDependOnThePath) {
  EXPECT_THAT(layer_fault({layer(false, 11, 1)}), testing::HasSubstr("1.10e-03"));
  EXPECT_EQ(layer_fault({layer(true, 11, 1)}), "");
  EXPECT_THAT(layer_fault({layer(true, 21, 1)}), testing::HasSubstr("2.10e-03"));
}

TEST(LayerFault, ConstantsThatTheKernelLacksExplainAShare) {
  LayerDifference off = layer(false, 1010, 1);
  EXPECT_NE(layer_fault({off}), "");
  off.explained_share = 0.1;
  EXPECT_EQ(layer_fault({off}), "");
  off.max_lsb = 2;
  EXPECT_NE(layer_fault({off}), "");
}

}  // namespace
}  // namespace quantc::sweep
