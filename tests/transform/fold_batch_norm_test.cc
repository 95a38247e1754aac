// BatchNorm folded into layers. Constants of the first tests are those of
// torch.nn.utils.fusion.fuse_conv_bn_weights.
#include "base/error.h"
#include "reference/executor.h"
#include "text_pass.h"

namespace quantc::transform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kNorm = R"(const %gamma : f32[3] = {-0.0798543245,0.926410854,0.815677524}
const %beta : f32[3] = {0.495189011,-0.164316982,-0.677962184}
const %mean : f32[3] = {-1.05910742,0.747696638,0.23891741}
const %var : f32[3] = {0.530147254,1.06230283,0.860579073}
)";

TEST(FoldBatchNorm, ConvolutionWithBias) {
  EXPECT_EQ(applied(fold_batch_norm, std::string(R"(graph @g
input %x : f32[1,2,4,4]
const %w : f32[3,2,1,2] = {0.803276062,0.174833387,0.0889780968,-0.613718033,0.0461824499,-1.36825919,0.337495089,1.01111591,-1.43517935,0.977431774,0.522049963,1.23791671}
const %b : f32[3] = {-0.864635587,0.298960835,0.419218659}
)") + kNorm + R"(%conv : f32[1,3,4,3] = conv2d(%x, %w, %b) # layer1.conv
%bn : f32[1,3,4,3] = batch_norm(%conv, %gamma, %beta, %mean, %var, eps=1e-05) # layer1.bn
output %bn
)"),
            printed(R"(graph @g
input %x : f32[1,2,4,4]
const %layer1.conv.folded_weight : f32[3,2,1,2] = {-0.0880969539,-0.0191743411,-0.00975841284,0.067307733,0.0415101536,-1.22983193,0.303350598,0.908820927,-1.26190519,0.859423101,0.459021062,1.08845878}
const %layer1.conv.folded_bias : f32[3] = {0.47386089,-0.567654014,-0.519429326}
%bn : f32[1,3,4,3] = conv2d(%x, %layer1.conv.folded_weight, %layer1.conv.folded_bias) # layer1.conv
output %bn
)"));
}

TEST(FoldBatchNorm, TransposedConvolutionWithoutBias) {
  EXPECT_EQ(applied(fold_batch_norm, std::string(R"(graph @g
input %x : f32[1,2,4,4]
const %w : f32[2,3,1,2] = {-0.927078247,0.818886757,0.892013669,-0.0149210505,0.16109027,0.80327493,0.219012395,1.50835848,1.17898536,1.3117975,-0.0996756032,0.336258024}
)") + kNorm + R"(%up : f32[1,3,4,5] = conv_transpose2d(%x, %w) # up
%bn : f32[1,3,4,5] = batch_norm(%up, %gamma, %beta, %mean, %var, eps=1e-05) # bn
output %bn
)"),
            printed(R"(graph @g
input %x : f32[1,2,4,4]
const %up.folded_weight : f32[2,3,1,2] = {0.101674594,-0.0898090079,0.801768303,-0.0134114828,0.141641289,0.706292808,-0.0240195449,-0.165424809,1.05970693,1.17908251,-0.0876414254,0.295660436}
const %up.folded_bias : f32[3] = {0.379034519,-0.836368918,-0.888034284}
%bn : f32[1,3,4,5] = conv_transpose2d(%x, %up.folded_weight, %up.folded_bias) # up
output %bn
)"));
}

// Channel c of the output is column c % 2 of the group c / 2.
TEST(FoldBatchNorm, GroupsOfATransposedConvolution) {
  const ir::Graph graph = fold_batch_norm(ir::parse_graph(R"(graph @g
input %x : f32[1,4,1,1]
const %w : f32[4,2,1,1] = {1,1,0,0,1,1,0,0}
const %gamma : f32[4] = {1,2,3,4}
const %beta : f32[4] = {0,0,0,0}
const %mean : f32[4] = {0,0,0,0}
const %var : f32[4] = {1,1,1,1}
%up : f32[1,4,1,1] = conv_transpose2d(%x, %w, groups=2) # up
%bn : f32[1,4,1,1] = batch_norm(%up, %gamma, %beta, %mean, %var, eps=0) # bn
output %bn
)"));
  EXPECT_EQ(graph.nodes.size(), 1U);
  const auto y = reference::execute(graph, {ir::Tensor::of<float>({1, 4, 1, 1}, {1, 1, 1, 1})});
  EXPECT_THAT(y.at(0).values<float>(), ElementsAre(1, 2, 3, 4));
}

constexpr const char* kOneChannel = R"(graph @g
input %x : f32[1,1,1,1]
const %w : f32[1,1,1,1] = {3}
const %one : f32[1] = {1}
const %two : f32[1] = {2}
const %zero : f32[1] = {0}
)";

TEST(FoldBatchNorm, ChainsAndSharedWeightsFold) {
  EXPECT_EQ(
      applied(fold_batch_norm, std::string(kOneChannel) + R"(%a : f32[1,1,1,1] = conv2d(%x, %w) # a
%a1 : f32[1,1,1,1] = batch_norm(%a, %two, %one, %zero, %one, eps=0) # a1
%a2 : f32[1,1,1,1] = batch_norm(%a1, %two, %zero, %zero, %one, eps=0) # a2
%b : f32[1,1,1,1] = conv2d(%a2, %w) # b
output %b
)"),
      printed(R"(graph @g
input %x : f32[1,1,1,1]
const %w : f32[1,1,1,1] = {3}
const %a.folded_weight.1 : f32[1,1,1,1] = {12}
const %a.folded_bias.1 : f32[1] = {2}
%a2 : f32[1,1,1,1] = conv2d(%x, %a.folded_weight.1, %a.folded_bias.1) # a
%b : f32[1,1,1,1] = conv2d(%a2, %w) # b
output %b
)"));
}

TEST(FoldBatchNorm, LayersWithOtherReadersStay) {
  const std::vector<const char*> graphs = {
      // a second reader
      R"(%conv : f32[1,1,1,1] = conv2d(%x, %w) # conv
%bn : f32[1,1,1,1] = batch_norm(%conv, %two, %zero, %zero, %one, eps=0) # bn
%y : f32[1,1,1,1] = add(%bn, %conv) # y
output %y
)",
      // an output of the graph
      R"(%conv : f32[1,1,1,1] = conv2d(%x, %w) # conv
%y : f32[1,1,1,1] = batch_norm(%conv, %two, %zero, %zero, %one, eps=0) # y
output %y
output %conv
)",
      // no layer in front
      R"(%relu : f32[1,1,1,1] = relu(%x) # relu
%y : f32[1,1,1,1] = batch_norm(%relu, %two, %zero, %zero, %one, eps=0) # y
output %y
)",
  };
  for (const char* nodes : graphs) {
    expect_unchanged(fold_batch_norm, std::string(kOneChannel) + nodes);
  }
}

TEST(FoldBatchNorm, LinearFoldsOnlyWhereChannelsAgree) {
  EXPECT_EQ(applied(fold_batch_norm, R"(graph @g
input %x : f32[4,1]
const %w : f32[2,1] = {1,2}
const %gamma : f32[2] = {2,3}
const %zero : f32[2] = {0,0}
const %one : f32[2] = {1,1}
%fc : f32[4,2] = linear(%x, %w) # fc
%bn : f32[4,2] = batch_norm(%fc, %gamma, %one, %zero, %one, eps=0) # bn
output %bn
)"),
            printed(R"(graph @g
input %x : f32[4,1]
const %fc.folded_weight : f32[2,1] = {2,6}
const %fc.folded_bias : f32[2] = {1,1}
%bn : f32[4,2] = linear(%x, %fc.folded_weight, %fc.folded_bias) # fc
output %bn
)"));
  expect_unchanged(fold_batch_norm, R"(graph @g
input %x : f32[4,2,1]
const %w : f32[2,1] = {1,2}
const %gamma : f32[2] = {2,3}
const %zero : f32[2] = {0,0}
const %one : f32[2] = {1,1}
%fc : f32[4,2,2] = linear(%x, %w) # fc
%bn : f32[4,2,2] = batch_norm(%fc, %gamma, %one, %zero, %one, eps=0) # bn
output %bn
)");
}

TEST(FoldBatchNorm, UnusableVariancesAreRefused) {
  for (const char* var : {"-1", "0", "nan", "inf"}) {
    const std::string text = std::string(kOneChannel) + "const %var : f32[1] = {" + var + R"(}
%conv : f32[1,1,1,1] = conv2d(%x, %w) # conv
%bn : f32[1,1,1,1] = batch_norm(%conv, %two, %zero, %zero, %var, eps=0) # layer1.bn
output %bn
)";
    try {
      fold_batch_norm(ir::parse_graph(text));
      ADD_FAILURE() << "accepted: " << var;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("layer1.bn: batch_norm: expected running_var"));
    }
  }
}

}  // namespace
}  // namespace quantc::transform
