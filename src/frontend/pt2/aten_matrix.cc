// Convolutions, products of matrices, attention.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

Operands layer_inputs(const Call& call) {
  Operands inputs = {call.tensor("input"), call.tensor("weight")};
  if (auto bias = call.optional_tensor("bias")) inputs.push_back(*std::move(bias));
  return inputs;
}

ir::Padding2d symmetric_padding(const Call& call) {
  const ir::Size2d padding = call.pair("padding");
  return ir::Padding2d::symmetric(padding.h, padding.w);
}

Operands conv2d(Call& call) {
  const ir::Conv2d conv{call.pair("stride"), symmetric_padding(call), call.pair("dilation"),
                        call.integer("groups")};
  return {call.emit(conv, layer_inputs(call))};
}

// As PyTorch divides an odd padding: the larger half behind.
ir::Padding2d same_padding(const Call& call, ir::Size2d dilation) {
  const ir::Shape& weight = call.shape(call.tensor("weight"));
  call.require(weight.size() == 4, "a weight of rank 4");
  const ir::Size2d stride = call.pair("stride");
  call.require(stride.h == 1 && stride.w == 1, "stride 1 with padding='same'");
  constexpr std::int64_t kMostDilation = 1 << 16;
  call.require(std::max(dilation.h, dilation.w) <= kMostDilation, "a dilation of at most 65536");
  const std::int64_t h = dilation.h * (weight[2] - 1);
  const std::int64_t w = dilation.w * (weight[3] - 1);
  return {h / 2, w / 2, h - h / 2, w - w / 2};
}

Operands conv2d_padding(Call& call) {
  ir::Conv2d conv{call.pair("stride"), {}, call.pair("dilation"), call.integer("groups")};
  const std::string& padding = call.text("padding");
  call.require(padding == "same" || padding == "valid", "padding of 'same' or 'valid'");
  if (padding == "same") conv.padding = same_padding(call, conv.dilation);
  return {call.emit(conv, layer_inputs(call))};
}

Operands conv_transpose2d(Call& call) {
  const ir::ConvTranspose2d conv{call.pair("stride"), symmetric_padding(call),
                                 call.pair("output_padding"), call.pair("dilation"),
                                 call.integer("groups")};
  return {call.emit(conv, layer_inputs(call))};
}

Operands convolution(Call& call) {
  return call.flag("transposed") ? conv_transpose2d(call) : conv2d(call);
}

Operands linear(Call& call) { return {call.emit(ir::Linear{}, layer_inputs(call))}; }

Operands product(Call& call, std::string_view left, std::string_view right) {
  return {call.emit(ir::Matmul{}, {call.tensor(left), call.tensor(right)})};
}

Operands matmul(Call& call) { return product(call, "self", "other"); }

Operands bmm(Call& call) { return product(call, "self", "mat2"); }

// The tensor of which the operand is the transpose, if one is known.
std::optional<Operand> transpose_of(const Call& call, const Operand& x) {
  const ir::Node* node = call.producer_of(x);
  const auto* transpose = node == nullptr ? nullptr : std::get_if<ir::Transpose>(&node->op);
  if (transpose == nullptr || transpose->perm != std::vector<std::int64_t>{1, 0}) return {};
  return Operand{node->inputs.at(0)};
}

// A linear layer without bias is written as a product with its transposed weight.
Operands mm(Call& call) {
  const auto weight = transpose_of(call, call.tensor("mat2"));
  if (!weight || call.constant_of(*weight) == nullptr) return bmm(call);
  return {call.emit(ir::Linear{}, {call.tensor("self"), *weight})};
}

// bias + mat1 * mat2, a linear layer whose weight is transposed.
Operands addmm(Call& call) {
  call.require(call.number("beta") == 1 && call.number("alpha") == 1, "beta = 1 and alpha = 1");
  const Operand bias = call.tensor("self");
  call.require(call.shape(bias).size() == 1, "a bias of rank 1");
  const Operand matrix = call.tensor("mat2");
  const auto known = transpose_of(call, matrix);
  const Operand weight = known ? *known : call.emit(ir::Transpose{{1, 0}}, {matrix}, ".weight");
  return {call.emit(ir::Linear{}, {call.tensor("mat1"), weight, bias})};
}

Operand with_last_two_swapped(Call& call, const Operand& x, std::string_view suffix) {
  std::vector<std::int64_t> perm(call.shape(x).size());
  call.require(perm.size() >= 2, "tensors of rank 2 or more");
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm.end()[-1], perm.end()[-2]);
  return call.emit(ir::Transpose{perm}, {x}, suffix);
}

// softmax(query * key^T * scale) * value; the scale is 1 / sqrt(size of a query) by default.
Operands attention(Call& call) {
  call.require(call.is_none("attn_mask") && !call.flag("is_causal"), "attention without mask");
  call.require(call.number("dropout_p") == 0, "dropout_p = 0; call model.eval() before export");
  const Operand query = call.tensor("query");
  const Operand keys = with_last_two_swapped(call, call.tensor("key"), ".key");
  const auto rank = static_cast<std::int64_t>(call.shape(query).size());
  call.require(rank >= 2, "tensors of rank 2 or more");
  const auto size = static_cast<double>(call.shape(query).back());
  const Operand scale = call.scalar(call.optional_number("scale").value_or(1 / std::sqrt(size)));
  const Operand scores = call.emit(ir::Matmul{}, {query, keys}, ".scores");
  const Operand scaled = call.emit(ir::Mul{}, {scores, scale}, ".scaled");
  const Operand weights = call.emit(ir::Softmax{rank - 1}, {scaled}, ".softmax");
  return {call.emit(ir::Matmul{}, {weights, call.tensor("value")})};
}

Operands attention_of_equal_heads(Call& call) {
  call.require(!call.flag("enable_gqa"), "enable_gqa = False");
  return attention(call);
}

// The two equations of grid and window attention; letters stand for dimensions.
Operands einsum(Call& call) {
  const auto operands = call.tensors("tensors");
  call.require(operands.size() == 2 && operands[0] && operands[1], "einsum of two tensors");
  std::string equation;
  for (const char c : call.text("equation")) {
    if (c != ' ') equation += c;
  }
  const bool scores = equation == "BGHID,BGHJD->BGHIJ";
  call.require(scores || equation == "BGHIJ,BGHJD->BGHID",
               "the equation \"B G H I D, B G H J D -> B G H I J\" or "
               "\"B G H I J, B G H J D -> B G H I D\"");
  call.require(call.shape(*operands[0]).size() == 5 && call.shape(*operands[1]).size() == 5,
               "operands of rank 5");
  const Operand right = scores ? with_last_two_swapped(call, *operands[1], ".right") : *operands[1];
  return {call.emit(ir::Matmul{}, {*operands[0], right})};
}

constexpr auto kOps = std::to_array<AtenOp>({
    {"aten.conv2d.default", "input weight bias=None stride=1 padding=0 dilation=1 groups=1",
     Result::kNew, conv2d},
    {"aten.conv2d.padding", "input weight bias=None stride=1 padding='valid' dilation=1 groups=1",
     Result::kNew, conv2d_padding},
    {"aten.conv_transpose2d.input",
     "input weight bias=None stride=1 padding=0 output_padding=0 groups=1 dilation=1", Result::kNew,
     conv_transpose2d},
    {"aten.linear.default", "input weight bias=None", Result::kNew, linear},
    {"aten.convolution.default",
     "input weight bias stride padding dilation transposed output_padding groups", Result::kNew,
     convolution},
    {"aten.matmul.default", "self other", Result::kNew, matmul},
    {"aten.bmm.default", "self mat2", Result::kNew, bmm},
    {"aten.mm.default", "self mat2", Result::kNew, mm},
    {"aten.addmm.default", "self mat1 mat2 beta=1 alpha=1", Result::kNew, addmm},
    {"aten.scaled_dot_product_attention.default",
     "query key value attn_mask=None dropout_p=0.0 is_causal=False scale=None enable_gqa=False",
     Result::kNew, attention_of_equal_heads},
    {"aten._scaled_dot_product_flash_attention_for_cpu.default",
     "query key value dropout_p=0.0 is_causal=False attn_mask=None scale=None", Result::kNew,
     attention},
    {"aten.einsum.default", "equation tensors path=None", Result::kNew, einsum},
});

}  // namespace

std::span<const AtenOp> matrix_ops() { return kOps; }

}  // namespace quantc::frontend
