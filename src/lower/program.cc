#include "lower/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"

namespace quantc::lower {
namespace {

constexpr std::array<std::string_view, 4> kSpaceNames = {"arena", "input", "output", "constant"};

// Unsigned, since the sum of four products of 31-bit numbers fits only so.
std::uint64_t last_element(const Layout& l) {
  const auto reach = [](std::int32_t size, std::int32_t stride) {
    return static_cast<std::uint64_t>(std::int64_t{size - 1} * stride);
  };
  return reach(l.n, l.n_stride) + reach(l.c, l.c_stride) + reach(l.h, l.h_stride) +
         reach(l.w, l.w_stride);
}

class Verifier {
 public:
  explicit Verifier(const Program& program)
      : program_(program), written_(program.buffers.size(), false) {}

  void run() {
    for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
      if (program_.buffers[i].space != Space::kConstant) continue;
      check_content(program_.buffers[i]);
      written_[i] = true;
    }
    for (const TensorRef& input : program_.inputs) {
      check_tensor(input, "program input");
      mark_written(input);
    }
    for (const Call& call : program_.calls) check_call(call);
    for (const TensorRef& output : program_.outputs) check_read(output, "program output");
  }

 private:
  [[noreturn]] static void fail(const std::string& where, const std::string& what) {
    throw InternalError(fmt::format("program is not valid: {}: {}", where, what));
  }

  bool has_buffer(BufferId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < program_.buffers.size();
  }

  bool has_constant(ConstantId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < program_.constants.size();
  }

  void check_content(const Buffer& buffer) const {
    if (!has_constant(buffer.constant)) fail(buffer.name, "a constant that does not exist");
    const std::size_t bytes = program_.constant(buffer.constant).tensor.bytes().size();
    if (static_cast<std::int64_t>(bytes) != buffer.bytes) {
      fail(buffer.name,
           fmt::format("expected {} bytes in its constant, found {}", buffer.bytes, bytes));
    }
  }

  void check_tensor(const TensorRef& tensor, const std::string& where) const {
    if (!has_buffer(tensor.buffer)) fail(where, "a tensor in a buffer that does not exist");
    const Layout& l = tensor.layout;
    if (std::min({l.n, l.c, l.h, l.w}) < 1 ||
        std::min({l.n_stride, l.c_stride, l.h_stride, l.w_stride}) < 0) {
      fail(where, fmt::format("tensor {} has sizes below 1 or strides below 0", tensor.value));
    }
    const Buffer& buffer = program_.buffer(tensor.buffer);
    const auto size = static_cast<std::int64_t>(ir::size_of(tensor.dtype));
    if (tensor.offset % size != 0) {
      fail(where, fmt::format("tensor {} is not aligned to its elements", tensor.value));
    }
    const bool starts_inside = tensor.offset >= 0 && tensor.offset <= buffer.bytes;
    const std::int64_t room = starts_inside ? (buffer.bytes - tensor.offset) / size : 0;
    if (last_element(l) >= static_cast<std::uint64_t>(room)) {
      fail(where, fmt::format("tensor {} at byte {} leaves buffer {}, which has {} bytes",
                              tensor.value, tensor.offset, buffer.name, buffer.bytes));
    }
  }

  void check_read(const TensorRef& tensor, const std::string& where) const {
    check_tensor(tensor, where);
    if (!written_[static_cast<std::size_t>(tensor.buffer)]) {
      fail(where, "reads " + program_.buffer(tensor.buffer).name + " before it is written");
    }
  }

  void check_call(const Call& call) {
    check_operand_counts(call);
    for (const TensorRef& input : call.inputs) check_read(input, call.layer);
    for (const ConstantId id : call.constants) {
      if (!has_constant(id)) fail(call.layer, "a constant that does not exist");
    }
    if (operands_of(call.kernel).scratch &&
        (!has_buffer(call.scratch) || program_.buffer(call.scratch).space != Space::kArena)) {
      fail(call.layer, "scratch that is not a buffer of the arena");
    }
    check_tensor(call.output, call.layer);
    const Space space = program_.buffer(call.output.buffer).space;
    if (space == Space::kInput) fail(call.layer, "writes to an input");
    if (space == Space::kConstant) fail(call.layer, "writes to a constant");
    mark_written(call.output);
  }

  static void check_operand_counts(const Call& call) {
    const Operands operands = operands_of(call.kernel);
    const auto check = [&](std::string_view what, std::size_t expected, std::size_t found) {
      if (found == expected) return;
      fail(call.layer,
           fmt::format("{} takes {} {}, found {}", name_of(call.kernel), expected, what, found));
    };
    check("inputs", operands.inputs, call.inputs.size());
    check("constants", operands.constants, call.constants.size());
    check("scratch buffers", operands.scratch ? 1 : 0, call.scratch == -1 ? 0 : 1);
  }

  void mark_written(const TensorRef& tensor) {
    written_[static_cast<std::size_t>(tensor.buffer)] = true;
  }

  const Program& program_;
  std::vector<bool> written_;
};

}  // namespace

std::string_view name_of(Space space) { return kSpaceNames.at(static_cast<std::size_t>(space)); }

Space space_named(std::string_view name) {
  const auto* const found = std::find(kSpaceNames.begin(), kSpaceNames.end(), name);
  if (found != kSpaceNames.end()) return static_cast<Space>(found - kSpaceNames.begin());
  throw InputError(
      fmt::format("expected one of {}, found '{}'", fmt::join(kSpaceNames, ", "), name));
}

std::int32_t to_i32(std::int64_t value) {
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    throw UnsupportedError(fmt::format("a size of {} does not fit 32 bits", value));
  }
  return static_cast<std::int32_t>(value);
}

Layout nhwc(std::int32_t n, std::int32_t c, std::int32_t h, std::int32_t w) {
  return {n, c, h, w, h * w * c, 1, w * c, c};
}

Layout planar(std::int32_t n, std::int32_t c, std::int32_t h, std::int32_t w) {
  return {n, c, h, w, c * h * w, h * w, w, 1};
}

bool has_contiguous_channels(const Layout& layout) { return layout.c_stride == 1 || layout.c == 1; }

bool is_dense_planar(const Layout& l) {
  const auto matches = [](std::int32_t size, std::int32_t stride, std::int32_t dense) {
    return size == 1 || stride == dense;
  };
  return matches(l.n, l.n_stride, l.c * l.h * l.w) && matches(l.c, l.c_stride, l.h * l.w) &&
         matches(l.h, l.h_stride, l.w) && matches(l.w, l.w_stride, 1);
}

void verify(const Program& program) { Verifier(program).run(); }

}  // namespace quantc::lower
