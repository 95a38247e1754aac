// Tensors in memory the way the kernels see them, surrounded by bytes that must not change.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "qc_types.h"

namespace quantc::runtime {

constexpr std::uint8_t kFill = 0xA5;

struct Sizes {
  std::int32_t n = 1, c = 1, h = 1, w = 1;
  std::size_t elements() const {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(c) * static_cast<std::size_t>(h) *
           static_cast<std::size_t>(w);
  }
};

/// "nhwc", "planar", or "nhwc_slice", "planar_slice": some channels of a larger tensor.
struct Placement {
  qc_layout layout;
  std::ptrdiff_t first = 0;     ///< Element (0, 0, 0, 0) in the larger tensor.
  std::ptrdiff_t elements = 0;  ///< Of the larger tensor.
};
Placement place(std::string_view layout, const Sizes& sizes);

/// The layout alone, of a dense tensor.
inline qc_layout nhwc(const Sizes& sizes) { return place("nhwc", sizes).layout; }
inline qc_layout planar(const Sizes& sizes) { return place("planar", sizes).layout; }

/// `layout` read as if its dimensions of size 1 had the sizes given: their stride is 0.
qc_layout broadcast(const qc_layout& layout, const Sizes& sizes);

/// Calls visit(i, element) for the i-th element in NCHW order.
template <typename Visit>
void for_each_element(const qc_layout& l, Visit visit) {
  std::size_t i = 0;
  for (std::int32_t n = 0; n < l.n; ++n) {
    for (std::int32_t c = 0; c < l.c; ++c) {
      for (std::int32_t h = 0; h < l.h; ++h) {
        for (std::int32_t w = 0; w < l.w; ++w) {
          visit(i++, std::ptrdiff_t{n} * l.n_stride + std::ptrdiff_t{c} * l.c_stride +
                         std::ptrdiff_t{h} * l.h_stride + std::ptrdiff_t{w} * l.w_stride);
        }
      }
    }
  }
}

template <typename T>
class Tensor {
 public:
  /// Every byte is kFill.
  Tensor(std::string_view layout, const Sizes& sizes) : place_(place(layout, sizes)) {
    memory_.resize(static_cast<std::size_t>(place_.elements) + 2 * kGuard);
    std::memset(memory_.data(), kFill, memory_.size() * sizeof(T));
  }

  Tensor(std::string_view layout, const Sizes& sizes, const std::vector<T>& dense)
      : Tensor(layout, sizes) {
    EXPECT_EQ(dense.size(), sizes.elements());
    for_each_element(place_.layout,
                     [&](std::size_t i, std::ptrdiff_t at) { data()[at] = dense.at(i); });
  }

  const qc_layout& layout() const { return place_.layout; }
  T* data() { return memory_.data() + kGuard + place_.first; }

  /// The elements in NCHW order.
  std::vector<T> dense() {
    std::vector<T> values(place_.layout.n * std::size_t{1} * place_.layout.c * place_.layout.h *
                          place_.layout.w);
    for_each_element(place_.layout,
                     [&](std::size_t i, std::ptrdiff_t at) { values.at(i) = data()[at]; });
    return values;
  }

  /// True if nothing but elements was written.
  bool surroundings_are_untouched() const {
    Tensor copy = *this;
    for_each_element(place_.layout, [&](std::size_t, std::ptrdiff_t at) {
      std::memset(copy.data() + at, kFill, sizeof(T));
    });
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(copy.memory_.data());
    for (std::size_t i = 0; i < copy.memory_.size() * sizeof(T); ++i) {
      if (bytes[i] != kFill) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 64;

  Placement place_;
  std::vector<T> memory_;
};

/// Scratch of exactly `bytes` bytes between guards, aligned as an arena's buffers are.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) : bytes_(bytes), memory_(bytes / kBlock + 3) {
    std::memset(memory_.data(), kFill, memory_.size() * kBlock);
  }
  std::int8_t* data() { return reinterpret_cast<std::int8_t*>(memory_.data()) + kBlock; }
  bool surroundings_are_untouched() const {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(memory_.data());
    for (std::size_t i = 0; i < memory_.size() * kBlock; ++i) {
      const bool inside = i >= kBlock && i < kBlock + bytes_;
      if (!inside && bytes[i] != kFill) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kBlock = 64;
  struct alignas(kBlock) Block {
    std::array<std::uint8_t, kBlock> bytes;
  };

  std::size_t bytes_;
  std::vector<Block> memory_;
};

}  // namespace quantc::runtime
