#include "frontend/zoo/weight_source.h"

#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace quantc::frontend {
namespace {

// Anonymous pages read as zero and take no memory until they are written, which nobody does.
SharedBytes untouched_zeros(std::size_t size) {
  if (size == 0) return {};
  void* address =
      ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw InternalError("no address space for placeholder weights");
  return {std::shared_ptr<const void>(address, [size](void* mapped) { ::munmap(mapped, size); }),
          {static_cast<const std::byte*>(address), size}};
}

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // in [0, 1)

  // Near normal with deviation 1: the sum of eight 16-bit numbers. Unlike Box-Muller it needs no
  // logarithm or cosine, whose last bits differ between C libraries.
  double normal() {
    constexpr double kMean = 8 * 65535 / 2.0;
    constexpr double kInverseDeviation = 0x1.3988e1412ed76p-16;  // 1 / sqrt(8 * (2^32 - 1) / 12)
    const std::uint64_t sum = sum_of_quarters(bits()) + sum_of_quarters(bits());
    return (static_cast<double>(sum) - kMean) * kInverseDeviation;
  }

 private:
  static std::uint64_t sum_of_quarters(std::uint64_t word) {
    constexpr std::uint64_t kMask = 0xFFFF;
    return (word & kMask) + ((word >> 16) & kMask) + ((word >> 32) & kMask) + (word >> 48);
  }

  std::uint64_t state_;
};

// FNV-1a (Fowler, Noll, Vo): a parameter's values depend on its key, not on who was asked before.
std::uint64_t hash_of(std::string_view key) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

// offset + scale * (a normal or uniform number)
struct Distribution {
  bool is_normal;
  double offset;
  double scale;
};

Distribution distribution_of(ParameterRole role, double fan_in) {
  switch (role) {
    case ParameterRole::kWeight:
      return {true, 0.0, std::sqrt(2.0 / fan_in)};
    case ParameterRole::kNormWeight:
    case ParameterRole::kRunningVar:
      return {false, 0.8, 0.4};
    case ParameterRole::kResidualScale:
      return {false, 0.2, 0.2};
    case ParameterRole::kAttentionWeight:
      return {true, 0.0, std::sqrt(1.0 / fan_in)};
    case ParameterRole::kEmbedding:
      return {true, 0.0, 0.5};
    case ParameterRole::kLogScale:
      return {false, 2.0, 0.6};
    case ParameterRole::kBias:
    case ParameterRole::kNormBias:
    case ParameterRole::kRunningMean:
      return {true, 0.0, 0.02};
  }
  throw InternalError("a parameter without a role");
}

}  // namespace

ir::Tensor WeightRecorder::get(const std::string& key, const ir::Shape& shape, ParameterRole role) {
  const ir::TensorType type{ir::DType::kFloat32, shape};
  const bool is_statistic =
      role == ParameterRole::kRunningMean || role == ParameterRole::kRunningVar;
  if (!is_statistic) parameter_count_ += type.elements();
  expected_.push_back({key, shape});
  return {type, untouched_zeros(type.bytes())};
}

void WeightRecorder::note_buffer(const std::string& key, const ir::Shape& shape) {
  buffers_.push_back({key, shape});
}

ir::Tensor CheckpointWeights::get(const std::string& key, const ir::Shape& shape,
                                  ParameterRole /*role*/) {
  const auto found = tensors_.find(key);
  if (found == tensors_.end() || found->second.shape() != shape) {
    throw InternalError("checkpoint weights were not bound for " + key);
  }
  return found->second;
}

ir::Tensor SyntheticWeights::get(const std::string& key, const ir::Shape& shape,
                                 ParameterRole role) {
  const auto count = static_cast<std::size_t>(ir::element_count(shape));
  const double fan_in = static_cast<double>(count) / static_cast<double>(shape.at(0));
  const Distribution distribution = distribution_of(role, fan_in);
  Random random(seed_ ^ hash_of(key));
  std::vector<std::byte> buffer(count * sizeof(float));
  for (std::size_t i = 0; i < count; ++i) {
    const double number = distribution.is_normal ? random.normal() : random.uniform();
    const auto value = static_cast<float>(distribution.offset + distribution.scale * number);
    std::memcpy(&buffer[i * sizeof(float)], &value, sizeof(float));
  }
  return {{ir::DType::kFloat32, shape}, own_bytes(std::move(buffer))};
}

}  // namespace quantc::frontend
