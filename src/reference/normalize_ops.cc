// Normalizations and reductions. Sums are held in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "reference/kernels.h"
#include "reference/tensor_builder.h"
#include "reference/vector_math.h"

namespace quantc::reference {
namespace {

using Row = std::span<const float>;

// Folds map(v) of all v with `fold`. Each of several lanes folds every 16th element, which
// compilers vectorize.
template <typename T, typename Map, typename Fold>
T folded(Row row, T initial, Map map, Fold fold) {
  constexpr std::size_t kLanes = 16;
  std::array<T, kLanes> lanes;
  lanes.fill(initial);
  const std::size_t whole = row.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = fold(lanes[lane], map(row[i + lane]));
    }
  }
  for (std::size_t i = whole; i < row.size(); ++i) {
    lanes[i - whole] = fold(lanes[i - whole], map(row[i]));
  }
  return std::accumulate(lanes.begin(), lanes.end(), initial, fold);
}

template <typename Map>
double sum_of(Row row, Map map) {
  return folded(row, 0.0, map, std::plus<>());
}

void softmax_row(Row x, std::span<float> y) {
  const float most = folded(x, -std::numeric_limits<float>::infinity(), std::identity(),
                            [](float a, float b) { return std::max(a, b); });
  std::transform(x.begin(), x.end(), y.begin(), [&](float v) { return exponential(v - most); });
  const auto factor = static_cast<float>(1.0 / sum_of(y, std::identity()));
  for (float& v : y) v *= factor;
}

void layer_norm_row(Row x, Row weight, Row bias, double eps, std::span<float> y) {
  const auto count = static_cast<double>(x.size());
  const double mean = sum_of(x, std::identity()) / count;
  const double variance = sum_of(x, [&](double v) { return (v - mean) * (v - mean); }) / count;
  const double factor = 1.0 / std::sqrt(variance + eps);
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = static_cast<float>((x[i] - mean) * factor) * weight[i] + bias[i];
  }
}

// x with the dimensions moved as ir::Transpose says; x itself where none moves.
ir::Tensor transposed(const ir::Tensor& x, const std::vector<std::int64_t>& perm) {
  if (std::is_sorted(perm.begin(), perm.end())) return x;
  ir::Shape shape;
  for (const std::int64_t axis : perm) shape.push_back(x.shape()[static_cast<std::size_t>(axis)]);
  return run(ir::Transpose{perm}, {x}, shape);
}

std::vector<std::int64_t> all_axes(const ir::Tensor& x) {
  std::vector<std::int64_t> axes(x.shape().size());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

// reduce(row) for the elements of x along `axes`.
template <typename Reduce>
ir::Tensor reduced(const ir::Tensor& x, const std::vector<std::int64_t>& axes, const ir::Shape& out,
                   Reduce reduce) {
  std::vector<std::int64_t> perm = all_axes(x);
  std::stable_partition(perm.begin(), perm.end(), [&](std::int64_t axis) {
    return std::find(axes.begin(), axes.end(), axis) == axes.end();
  });
  const ir::Tensor rows = transposed(x, perm);
  TensorBuilder<float> y(out);
  const std::size_t row_size = rows.values<float>().size() / y.values().size();
  for (std::size_t i = 0; i < y.values().size(); ++i) {
    y.values()[i] =
        static_cast<float>(reduce(rows.values<float>().subspan(i * row_size, row_size)));
  }
  return y.take();
}

}  // namespace

// y = x * alpha + beta with alpha = weight / sqrt(var + eps), beta = bias - mean * alpha, as
// PyTorch's CPU kernel computes it.
ir::Tensor run(const ir::BatchNorm& op, const Tensors& in, const ir::Shape& out) {
  TensorBuilder<float> y(out);
  const auto channels = static_cast<std::size_t>(out[1]);
  const auto batch = static_cast<std::size_t>(out[0]);
  const auto x = in[0].values<float>();
  const std::size_t plane = x.size() / (batch * channels);
  const auto weight = in[1].values<float>();
  const auto bias = in[2].values<float>();
  const auto mean = in[3].values<float>();
  const auto var = in[4].values<float>();
  for (std::size_t i = 0; i < batch * channels; ++i) {
    const std::size_t c = i % channels;
    const float alpha = weight[c] * (1.0F / std::sqrt(var[c] + static_cast<float>(op.eps)));
    const float beta = bias[c] - mean[c] * alpha;
    const auto from = x.subspan(i * plane, plane);
    std::transform(from.begin(), from.end(), y.values().subspan(i * plane, plane).begin(),
                   [&](float v) { return v * alpha + beta; });
  }
  return y.take();
}

ir::Tensor run(const ir::LayerNorm& op, const Tensors& in, const ir::Shape& out) {
  TensorBuilder<float> y(out);
  const Row weight = in[1].values<float>();
  const Row bias = in[2].values<float>();
  const std::size_t size = weight.size();
  for (std::size_t first = 0; first < y.values().size(); first += size) {
    layer_norm_row(in[0].values<float>().subspan(first, size), weight, bias, op.eps,
                   y.values().subspan(first, size));
  }
  return y.take();
}

ir::Tensor run(const ir::Softmax& op, const Tensors& in, const ir::Shape& /*out*/) {
  std::vector<std::int64_t> perm = all_axes(in[0]);
  std::swap(perm[static_cast<std::size_t>(op.axis)], perm.back());
  const ir::Tensor x = transposed(in[0], perm);
  TensorBuilder<float> y(x.shape());
  const auto size = static_cast<std::size_t>(x.shape().back());
  for (std::size_t first = 0; first < y.values().size(); first += size) {
    softmax_row(x.values<float>().subspan(first, size), y.values().subspan(first, size));
  }
  return transposed(y.take(), perm);
}

ir::Tensor run(const ir::Mean& op, const Tensors& in, const ir::Shape& out) {
  return reduced(in[0], op.axes, out, [](Row row) {
    return sum_of(row, std::identity()) / static_cast<double>(row.size());
  });
}

ir::Tensor run(const ir::ReduceL2& op, const Tensors& in, const ir::Shape& out) {
  return reduced(in[0], op.axes, out,
                 [](Row row) { return std::sqrt(sum_of(row, [](double v) { return v * v; })); });
}

}  // namespace quantc::reference
