// Pooling. Average windows and divisors follow ir::pool_windows, which holds PyTorch's rules.
#include <cmath>
#include <limits>

#include "ir/pool_windows.h"
#include "reference/kernels.h"
#include "reference/tensor_builder.h"

namespace quantc::reference {
namespace {

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

// Calls plane(x, y) for every image plane of input and output.
template <typename Plane>
ir::Tensor for_each_plane(const ir::Tensor& x, const ir::Shape& out, Plane plane) {
  TensorBuilder<float> y(out);
  const std::size_t x_size = at(x.shape()[2] * x.shape()[3]);
  const std::size_t y_size = at(out[2] * out[3]);
  for (std::size_t i = 0; i < at(out[0] * out[1]); ++i) {
    plane(x.values<float>().subspan(i * x_size, x_size), y.values().subspan(i * y_size, y_size));
  }
  return y.take();
}

float window_max(const ir::MaxPool2d& op, std::span<const float> x, ir::Size2d size,
                 std::int64_t top, std::int64_t left) {
  float most = -std::numeric_limits<float>::infinity();
  for (std::int64_t kh = 0; kh < op.kernel.h; ++kh) {
    const std::int64_t h = top + kh * op.dilation.h;
    if (h < 0 || h >= size.h) continue;
    for (std::int64_t kw = 0; kw < op.kernel.w; ++kw) {
      const std::int64_t w = left + kw * op.dilation.w;
      if (w < 0 || w >= size.w) continue;
      const float value = x[at(h * size.w + w)];
      if (value > most || std::isnan(value)) most = value;  // NaN wins, as in PyTorch
    }
  }
  return most;
}

float window_mean(std::span<const float> x, std::int64_t width, const ir::PoolWindow& rows,
                  const ir::PoolWindow& columns) {
  double sum = 0;
  for (std::int64_t h = rows.begin; h < rows.end; ++h) {
    for (std::int64_t w = columns.begin; w < columns.end; ++w) sum += x[at(h * width + w)];
  }
  return static_cast<float>(sum / static_cast<double>(rows.divisor * columns.divisor));
}

ir::Tensor averaged(const ir::Tensor& input, const ir::Shape& out,
                    const std::vector<ir::PoolWindow>& rows,
                    const std::vector<ir::PoolWindow>& columns) {
  return for_each_plane(input, out, [&](std::span<const float> x, std::span<float> y) {
    std::size_t i = 0;
    for (const ir::PoolWindow& row : rows) {
      for (const ir::PoolWindow& column : columns) {
        y[i++] = window_mean(x, input.shape()[3], row, column);
      }
    }
  });
}

}  // namespace

ir::Tensor run(const ir::MaxPool2d& op, const Tensors& in, const ir::Shape& out) {
  const ir::Size2d size{in[0].shape()[2], in[0].shape()[3]};
  return for_each_plane(in[0], out, [&](std::span<const float> x, std::span<float> y) {
    for (std::int64_t i = 0; i < out[2] * out[3]; ++i) {
      y[at(i)] = window_max(op, x, size, i / out[3] * op.stride.h - op.padding.top,
                            i % out[3] * op.stride.w - op.padding.left);
    }
  });
}

ir::Tensor run(const ir::AvgPool2d& op, const Tensors& in, const ir::Shape& out) {
  const ir::Shape& x = in[0].shape();
  return averaged(in[0], out, ir::pool_windows_h(op, x[2], out[2]),
                  ir::pool_windows_w(op, x[3], out[3]));
}

ir::Tensor run(const ir::AdaptiveAvgPool2d& /*op*/, const Tensors& in, const ir::Shape& out) {
  const ir::Shape& x = in[0].shape();
  return averaged(in[0], out, ir::adaptive_windows(x[2], out[2]),
                  ir::adaptive_windows(x[3], out[3]));
}

}  // namespace quantc::reference
