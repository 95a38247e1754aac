// Which elements an average pooling window covers along one dimension, and what it divides by.
#pragma once

#include <vector>

#include "ir/ops.h"

namespace quantc::ir {

/// Elements [begin, end) of the input. The average divides by the product of both dimensions'
/// divisors.
struct PoolWindow {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t divisor = 1;
};

/// Windows of avg_pool2d by PyTorch's rule: a divisor that counts padding counts it up to the
/// padded edge, never what ceil_mode hangs over beyond it.
std::vector<PoolWindow> pool_windows_h(const AvgPool2d& pool, std::int64_t input,
                                       std::int64_t output);
std::vector<PoolWindow> pool_windows_w(const AvgPool2d& pool, std::int64_t input,
                                       std::int64_t output);

/// Window i of adaptive pooling covers [floor(i * input / output), ceil((i + 1) * input / output)).
std::vector<PoolWindow> adaptive_windows(std::int64_t input, std::int64_t output);

}  // namespace quantc::ir
