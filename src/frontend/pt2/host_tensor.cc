#include "frontend/pt2/host_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/error.h"
#include "ir/shapes.h"

namespace quantc::frontend {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 22;
constexpr double kMostExactInteger = 9007199254740992.0;  // 2^53

std::vector<std::int64_t> dense_strides(const ir::Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

// The index into the shared elements for each element of the view, in row-major order.
std::vector<std::size_t> indices_of(const HostTensor& host) {
  std::vector<std::size_t> indices = {static_cast<std::size_t>(host.offset)};
  for (std::size_t dim = 0; dim < host.type.shape.size(); ++dim) {
    std::vector<std::size_t> finer;
    finer.reserve(indices.size() * static_cast<std::size_t>(host.type.shape[dim]));
    for (const std::size_t index : indices) {
      for (std::int64_t i = 0; i < host.type.shape[dim]; ++i) {
        finer.push_back(index + static_cast<std::size_t>(i * host.strides[dim]));
      }
    }
    indices = std::move(finer);
  }
  return indices;
}

HostTensor dense(std::string name, ir::TensorType type, std::vector<double> values) {
  std::vector<std::int64_t> strides = dense_strides(type.shape);
  return {std::move(name), std::move(type),
          std::make_shared<std::vector<double>>(std::move(values)), 0, std::move(strides)};
}

template <typename T>
std::vector<double> widened(const ir::Tensor& tensor) {
  const auto values = tensor.values<T>();
  return {values.begin(), values.end()};
}

template <typename T>
ir::Tensor narrowed(const HostTensor& host) {
  const std::vector<double> values = values_of(host);
  return ir::Tensor::of(host.type.shape, std::vector<T>(values.begin(), values.end()));
}

bool all_exact(const std::vector<double>& integers) {
  return std::ranges::all_of(integers, [](double v) { return std::abs(v) <= kMostExactInteger; });
}

HostTensor reshaped(const HostTensor& x, const ir::Shape& shape) {
  HostTensor y = x.strides == dense_strides(x.type.shape) ? x : dense(x.name, x.type, values_of(x));
  y.type.shape = shape;
  y.strides = dense_strides(shape);
  return y;
}

HostTensor sliced(const HostTensor& x, const ir::Slice& slice, const ir::Shape& shape) {
  const auto axis = static_cast<std::size_t>(slice.axis);
  HostTensor y = x;
  y.type.shape = shape;
  y.offset += slice.start * x.strides[axis];
  y.strides[axis] *= slice.step;
  return y;
}

HostTensor transposed(const HostTensor& x, const ir::Transpose& transpose, const ir::Shape& shape) {
  HostTensor y = x;
  y.type.shape = shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    y.strides[i] = x.strides[static_cast<std::size_t>(transpose.perm[i])];
  }
  return y;
}

template <typename Function>
HostTensor combined(const std::vector<HostTensor>& inputs, const ir::Shape& shape,
                    Function function) {
  std::vector<double> a = values_of(broadcast_to(inputs[0], shape));
  const std::vector<double> b = values_of(broadcast_to(inputs[1], shape));
  // Float operands are exact in double and one rounding follows, as in float arithmetic.
  std::ranges::transform(a, b, a.begin(), [&](double x, double y) {
    return static_cast<double>(static_cast<float>(function(x, y)));
  });
  return dense(inputs[0].name, {ir::DType::kFloat32, shape}, std::move(a));
}

}  // namespace

HostTensor filled_host(std::string name, ir::TensorType type, double value) {
  if (std::ranges::any_of(type.shape, [](auto size) { return size < 1; }) ||
      type.elements() > kMostElements) {
    throw UnsupportedError(fmt::format("expected a constant of 1 to {} elements, found {}",
                                       kMostElements, ir::to_string(type)));
  }
  std::vector<double> values(static_cast<std::size_t>(type.elements()), value);
  return dense(std::move(name), std::move(type), std::move(values));
}

std::optional<HostTensor> host_copy(std::string name, const ir::Tensor& tensor) {
  if (tensor.elements() < 1 || tensor.elements() > kMostElements) return std::nullopt;
  if (tensor.dtype() == ir::DType::kFloat32) {
    return dense(std::move(name), tensor.type(), widened<float>(tensor));
  }
  if (tensor.dtype() == ir::DType::kBool) {
    return dense(std::move(name), tensor.type(), widened<bool>(tensor));
  }
  if (tensor.dtype() != ir::DType::kInt64) return std::nullopt;
  std::vector<double> values = widened<std::int64_t>(tensor);
  if (!all_exact(values)) return std::nullopt;
  return dense(std::move(name), tensor.type(), std::move(values));
}

std::vector<double> values_of(const HostTensor& host) {
  const std::vector<std::size_t> indices = indices_of(host);
  std::vector<double> values(indices.size());
  std::ranges::transform(indices, values.begin(),
                         [&](std::size_t i) { return (*host.elements)[i]; });
  return values;
}

void assign(HostTensor& host, const std::vector<double>& values) {
  const std::vector<std::size_t> indices = indices_of(host);
  for (std::size_t i = 0; i < indices.size(); ++i) (*host.elements)[indices[i]] = values.at(i);
}

HostTensor broadcast_to(const HostTensor& host, const ir::Shape& shape) {
  const ir::Shape& from = host.type.shape;
  HostTensor wide = host;
  wide.type.shape = shape;
  wide.strides.assign(shape.size(), 0);
  bool fits = from.size() <= shape.size();
  for (std::size_t i = 0; fits && i < from.size(); ++i) {
    const std::size_t to = shape.size() - from.size() + i;
    if (from[i] == shape[to]) wide.strides[to] = host.strides[i];
    fits = from[i] == shape[to] || from[i] == 1;
  }
  if (!fits || ir::element_count(shape) > kMostElements) {
    throw InputError(fmt::format("expected a constant that broadcasts to {}, found {}",
                                 ir::to_string(shape), ir::to_string(from)));
  }
  return wide;
}

ir::Tensor to_tensor(const HostTensor& host) {
  switch (host.type.dtype) {
    case ir::DType::kFloat32:
      return narrowed<float>(host);
    case ir::DType::kInt64:
      return narrowed<std::int64_t>(host);
    default: {
      const ir::Tensor flags = narrowed<std::uint8_t>(host);
      return {host.type, flags.data()};
    }
  }
}

std::optional<HostTensor> evaluate_on_host(const ir::Op& op,
                                           const std::vector<HostTensor>& inputs) {
  std::vector<ir::TensorType> types;
  types.reserve(inputs.size());
  for (const HostTensor& input : inputs) types.push_back(input.type);
  const ir::Shape shape = ir::infer_type(op, types).shape;
  using Result = std::optional<HostTensor>;
  return std::visit(
      ir::Overloaded{
          [&](const ir::Reshape&) -> Result { return reshaped(inputs[0], shape); },
          [&](const ir::Flatten&) -> Result { return reshaped(inputs[0], shape); },
          [&](const ir::Slice& slice) -> Result { return sliced(inputs[0], slice, shape); },
          [&](const ir::Transpose& move) -> Result { return transposed(inputs[0], move, shape); },
          [&](const ir::Expand&) -> Result { return broadcast_to(inputs[0], shape); },
          [&](const ir::Sub&) -> Result { return combined(inputs, shape, std::minus<>()); },
          [](const auto&) -> Result { return std::nullopt; },
      },
      op);
}

}  // namespace quantc::frontend
