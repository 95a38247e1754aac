// The program: kernel calls in order, the buffers they work on, and their constants. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tensor.h"
#include "lower/kernels.h"

namespace quantc::lower {

using BufferId = std::int32_t;
using ConstantId = std::int32_t;

/// Where a buffer lives.
enum class Space : std::uint8_t { kArena, kInput, kOutput, kConstant };

/// "arena", "input", "output", "constant"; InputError if there is no such space.
std::string_view name_of(Space space);
Space space_named(std::string_view name);

/// Memory for one tensor, or for several that are slices of it.
struct Buffer {
  std::string name;
  Space space = Space::kArena;
  std::int64_t bytes = 0;
  ConstantId constant = -1;  ///< The content of one in Space::kConstant.
  bool operator==(const Buffer&) const = default;
};

/// Sizes and strides in elements; qc_layout of the runtime.
struct Layout {
  std::int32_t n = 1, c = 1, h = 1, w = 1;
  std::int32_t n_stride = 0, c_stride = 0, h_stride = 0, w_stride = 0;
  std::int64_t elements() const { return std::int64_t{1} * n * c * h * w; }
  bool operator==(const Layout&) const = default;
};

/// A size or position as the C structs hold it; UnsupportedError if it does not fit.
std::int32_t to_i32(std::int64_t value);

/// Dense layouts of these sizes.
Layout nhwc(std::int32_t n, std::int32_t c, std::int32_t h, std::int32_t w);
Layout planar(std::int32_t n, std::int32_t c, std::int32_t h, std::int32_t w);

/// True if the channels of each pixel are contiguous.
bool has_contiguous_channels(const Layout& layout);

/// True if the elements are those of a dense NCHW array, in order; strides along sizes of 1 do not
/// count.
bool is_dense_planar(const Layout& layout);

/// A tensor in a buffer. `value` is the graph value it holds, whose channels from `value_channel`
/// on it holds; empty for values the graph does not have.
struct TensorRef {
  BufferId buffer = -1;
  std::int64_t offset = 0;  ///< Bytes from the start of the buffer.
  ir::DType dtype = ir::DType::kInt8;
  Layout layout;
  std::string value;
  std::int32_t value_channel = 0;
  bool operator==(const TensorRef&) const = default;
};

struct Constant {
  std::string name;
  ir::Tensor tensor;
};

/// What a kernel cannot represent of its layer's constants. Preset quantc chooses constants without
/// such errors; TI's float biases and scales have them.
struct ConstantError {
  double multiplier = 0;  ///< Largest relative error of a channel's multiplier.
  double bias = 0;        ///< Mean error of the channels' biases, in codes of the output.
  bool operator==(const ConstantError&) const = default;
};

/// One kernel call. Arguments in C: parameters, inputs, constants, scratch, output.
struct Call {
  std::string layer;
  Kernel kernel;
  std::vector<TensorRef> inputs;
  std::vector<ConstantId> constants;
  BufferId scratch = -1;  ///< -1: none.
  TensorRef output;
  std::int64_t macs = 0;
  ConstantError error;
  /// Why a convolution or matrix product did not go to MMALIB; empty where it did or none was
  /// asked.
  std::string not_offloaded;
};

struct Program {
  std::string name;
  std::vector<Buffer> buffers;
  std::vector<Constant> constants;
  std::vector<Call> calls;
  std::vector<TensorRef> inputs;
  std::vector<TensorRef> outputs;

  const Buffer& buffer(BufferId id) const { return buffers.at(static_cast<std::size_t>(id)); }
  const Constant& constant(ConstantId id) const {
    return constants.at(static_cast<std::size_t>(id));
  }
};

/// InternalError naming the call that breaks a rule: ids in range, tensors inside of their buffers,
/// aligned, read only after they were written, never written to an input or a constant; kernels with the number
/// of operands they take, and scratch in the arena.
void verify(const Program& program);

}  // namespace quantc::lower
