#include "frontend/zoo/weight_source.h"

#include <sys/mman.h>

#include <cmath>
#include <numbers>
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

  double uniform() {  // in [0, 1)
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

  double normal() {  // Box-Muller
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

// FNV-1a: a parameter's values depend on its key, not on the order in which keys are asked for.
std::uint64_t hash_of(std::string_view key) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

double sample(Random& random, ParameterRole role, double fan_in) {
  switch (role) {
    case ParameterRole::kWeight:
      return random.normal() * std::sqrt(2.0 / fan_in);
    case ParameterRole::kNormWeight:
    case ParameterRole::kRunningVar:
      return 0.8 + 0.4 * random.uniform();
    default:
      return random.normal() * 0.02;
  }
}

}  // namespace

ir::Tensor WeightRecorder::get(const std::string& key, const ir::Shape& shape,
                               ParameterRole /*role*/) {
  expected_.push_back({key, shape});
  const ir::TensorType type{ir::DType::kFloat32, shape};
  return {type, untouched_zeros(type.bytes())};
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
  Random random(seed_ ^ hash_of(key));
  std::vector<float> values(static_cast<std::size_t>(ir::element_count(shape)));
  const double fan_in = static_cast<double>(values.size()) / static_cast<double>(shape.at(0));
  for (float& value : values) value = static_cast<float>(sample(random, role, fan_in));
  return ir::Tensor::of(shape, values);
}

}  // namespace quantc::frontend
