// Convolutions, products of matrices, attention.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "frontend/pt2/aten_ops.h"

namespace quantc::frontend {
namespace {

Operands layer_inputs(const Call& call) {
  Operands inputs = {call.tensor("input"), call.tensor("weight")};
  if (auto bias = call.optional_tensor("bias")) inputs.push_back(*std::move(bias));
  return inputs;
}

Operands conv2d(Call& call) {
  const ir::Size2d padding = call.pair("padding");
  const ir::Conv2d conv{call.pair("stride"), ir::Padding2d::symmetric(padding.h, padding.w),
                        call.pair("dilation"), call.integer("groups")};
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
  const ir::Size2d padding = call.pair("padding");
  const ir::ConvTranspose2d conv{
      call.pair("stride"), ir::Padding2d::symmetric(padding.h, padding.w),
      call.pair("output_padding"), call.pair("dilation"), call.integer("groups")};
  return {call.emit(conv, layer_inputs(call))};
}

Operands linear(Call& call) { return {call.emit(ir::Linear{}, layer_inputs(call))}; }

Operands matmul(Call& call) {
  return {call.emit(ir::Matmul{}, {call.tensor("self"), call.tensor("other")})};
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
  call.require(!call.flag("enable_gqa"), "enable_gqa = False");
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
    {"aten.matmul.default", "self other", Result::kNew, matmul},
    {"aten.scaled_dot_product_attention.default",
     "query key value attn_mask=None dropout_p=0.0 is_causal=False scale=None enable_gqa=False",
     Result::kNew, attention},
    {"aten.einsum.default", "equation tensors path=None", Result::kNew, einsum},
});

}  // namespace

std::span<const AtenOp> matrix_ops() { return kOps; }

}  // namespace quantc::frontend
