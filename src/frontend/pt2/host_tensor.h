// Tensors whose values are known at import and which a program may still change: attention masks
// are built out of zeros by writing to slices of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/ops.h"
#include "ir/tensor.h"

namespace quantc::frontend {

/// A strided view on elements that it shares with other views. Elements are float32, int64 or bool,
/// all of which a double holds; integers beyond 2^53 are refused where tensors are made.
struct HostTensor {
  std::string name;  ///< Of the constant that it becomes in the graph.
  ir::TensorType type;
  std::shared_ptr<std::vector<double>> elements;
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides;
};

/// A dense tensor with elements of its own. UnsupportedError if it would be very large.
HostTensor filled_host(std::string name, ir::TensorType type, double value);

/// A copy of a constant, or nothing if its type is another or it is large.
std::optional<HostTensor> host_copy(std::string name, const ir::Tensor& tensor);

/// The elements in row-major order.
std::vector<double> values_of(const HostTensor& host);

/// Writes the elements in row-major order, seen by every view that shares them.
void assign(HostTensor& host, const std::vector<double>& values);

/// The view stretched to `shape`, as NumPy's broadcast_to; InputError if it does not stretch.
HostTensor broadcast_to(const HostTensor& host, const ir::Shape& shape);

ir::Tensor to_tensor(const HostTensor& host);

/// The output of `op`, a view where PyTorch makes one; nothing for an op that is not done here.
std::optional<HostTensor> evaluate_on_host(const ir::Op& op, const std::vector<HostTensor>& inputs);

}  // namespace quantc::frontend
