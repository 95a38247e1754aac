#include "sweep/layer_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "execute/host.h"
#include "reference/executor.h"

namespace quantc::sweep {
namespace {

using lower::TensorRef;

std::map<std::string, ir::Tensor> reference_values(const ir::Graph& qdq, const ir::Tensor& input) {
  std::map<std::string, ir::Tensor> values;
  reference::execute(qdq, {input}, [&](ir::ValueId id, const ir::Tensor& tensor) {
    const bool is_float_inside =
        tensor.dtype() == ir::DType::kFloat32 &&
        std::find(qdq.inputs.begin(), qdq.inputs.end(), id) == qdq.inputs.end() &&
        std::find(qdq.outputs.begin(), qdq.outputs.end(), id) == qdq.outputs.end();
    if (!is_float_inside) values[qdq.value(id).name] = tensor;
  });
  return values;
}

class Judge {
 public:
  Judge(const driver::CompiledModel& compiled, const ir::Tensor& input)
      : program_(compiled.program), values_(reference_values(compiled.qdq_graph, input)) {}

  std::vector<std::byte> inputs() const {
    std::vector<std::byte> bytes;
    for (const lower::Call& call : program_.calls) {
      for (const TensorRef& tensor : call.inputs) {
        if (program_.buffer(tensor.buffer).space == lower::Space::kConstant) continue;
        const auto dense = dense_bytes(tensor);
        bytes.insert(bytes.end(), dense.begin(), dense.end());
      }
    }
    return bytes;
  }

  std::vector<LayerDifference> differences(const std::vector<std::byte>& outputs) const {
    std::vector<LayerDifference> layers;
    std::size_t at = 0;
    for (const lower::Call& call : program_.calls) {
      const auto expected = dense_bytes(call.output);
      if (expected.size() > outputs.size() - at) throw InternalError("layer outputs end early");
      // A copy: in the file, a float32 output may follow an odd number of codes.
      const auto part = std::span(outputs).subspan(at, expected.size());
      const std::vector<std::byte> found(part.begin(), part.end());
      at += expected.size();
      layers.push_back(difference(call, expected, found));
    }
    return layers;
  }

 private:
  // The reference's value in dense NCHW order, stretched where the tensor is broadcast.
  std::vector<std::byte> dense_bytes(const TensorRef& tensor) const {
    const auto value = values_.find(tensor.value);
    if (value == values_.end()) {
      throw InternalError("the reference has no value named " + tensor.value);
    }
    const auto all = value->second.bytes();
    const lower::Layout& l = tensor.layout;
    const std::size_t size = ir::size_of(tensor.dtype);
    const auto wanted = static_cast<std::size_t>(l.elements()) * size;
    if (wanted == all.size()) return {all.begin(), all.end()};
    return is_broadcast(l) ? stretched(value->second, l) : channels_of(all, tensor, size, wanted);
  }

  static bool is_broadcast(const lower::Layout& l) {
    return (l.n > 1 && l.n_stride == 0) || (l.c > 1 && l.c_stride == 0) ||
           (l.h > 1 && l.h_stride == 0) || (l.w > 1 && l.w_stride == 0);
  }

  static std::vector<std::byte> stretched(const ir::Tensor& value, const lower::Layout& l) {
    ir::Shape shape = value.shape();
    while (shape.size() < 4) shape.push_back(1);
    std::vector<std::byte> bytes;
    for (std::int64_t i = 0; i < l.elements(); ++i) {
      const std::int64_t w = i % l.w % shape[3];
      const std::int64_t h = i / l.w % l.h % shape[2];
      const std::int64_t c = i / l.w / l.h % l.c % shape[1];
      const std::int64_t n = i / l.w / l.h / l.c % shape[0];
      bytes.push_back(value.bytes()[static_cast<std::size_t>(
          ((n * shape[1] + c) * shape[2] + h) * shape[3] + w)]);
    }
    return bytes;
  }

  // A call that writes part of a concatenation: some channels of the whole.
  static std::vector<std::byte> channels_of(std::span<const std::byte> all, const TensorRef& tensor,
                                            std::size_t size, std::size_t wanted) {
    const lower::Layout& l = tensor.layout;
    const std::size_t plane = static_cast<std::size_t>(l.h) * static_cast<std::size_t>(l.w) * size;
    const std::size_t first = static_cast<std::size_t>(tensor.value_channel) * plane;
    if (l.n != 1 || first + wanted > all.size()) {
      throw InternalError("tensor " + tensor.value + " is no part of its value");
    }
    const auto part = all.subspan(first, wanted);
    return {part.begin(), part.end()};
  }

  // A shift of d codes, d < 1, moves a share d of the codes. In a channel whose codes are few and
  // frequent they move together: three standard deviations of that for the bias.
  static double explained_share(const lower::Call& call) {
    constexpr double kMostCodes = 255;  // from the zero point at one end of the range
    const double bias = call.error.bias;
    return kMostCodes * call.error.multiplier + bias + 3 * std::sqrt(bias / call.output.layout.c);
  }

  static LayerDifference difference(const lower::Call& call, std::span<const std::byte> expected,
                                    std::span<const std::byte> found) {
    LayerDifference d{.layer = call.layer,
                      .kernel = std::string(lower::name_of(call.kernel)),
                      .offloaded = lower::is_offloaded(call.kernel),
                      .explained_share = explained_share(call)};
    if (call.output.dtype == ir::DType::kInt8) {
      count_codes(expected, found, d);
    } else {
      count_reals(expected, found, d);
    }
    return d;
  }

  static void count_codes(std::span<const std::byte> expected, std::span<const std::byte> found,
                          LayerDifference& d) {
    d.elements = static_cast<std::int64_t>(expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const int lsb =
          std::abs(static_cast<std::int8_t>(expected[i]) - static_cast<std::int8_t>(found[i]));
      d.differing += lsb != 0 ? 1 : 0;
      d.max_lsb = std::max<std::int64_t>(d.max_lsb, lsb);
    }
  }

  // Float32 outputs round differently everywhere; one "LSB" is 1e-3 of the largest value.
  static void count_reals(std::span<const std::byte> expected, std::span<const std::byte> found,
                          LayerDifference& d) {
    const auto* reference = reinterpret_cast<const float*>(expected.data());
    const auto* output = reinterpret_cast<const float*>(found.data());
    d.elements = static_cast<std::int64_t>(expected.size() / sizeof(float));
    float most = 0;
    for (std::int64_t i = 0; i < d.elements; ++i) most = std::max(most, std::abs(reference[i]));
    const double unit = std::max(most * 1e-3, 1e-12);
    for (std::int64_t i = 0; i < d.elements; ++i) {
      const double units = std::abs(double{reference[i]} - output[i]) / unit;
      const auto whole = static_cast<std::int64_t>(std::isfinite(units) ? units : 1e6);
      d.differing += whole != 0 ? 1 : 0;
      d.max_lsb = std::max(d.max_lsb, whole);
    }
  }

  const lower::Program& program_;
  std::map<std::string, ir::Tensor> values_;
};

}  // namespace

std::vector<LayerDifference> judge_layers(const driver::CompiledModel& compiled,
                                          const std::filesystem::path& folder,
                                          const ir::Tensor& input) {
  const Judge judge(compiled, input);
  return judge.differences(execute::run_layers(folder, judge.inputs()));
}

std::string layer_fault(const std::vector<LayerDifference>& layers, const LayerBounds& bounds) {
  for (const LayerDifference& layer : layers) {
    const double share =
        layer.explained_share + (layer.offloaded ? bounds.share_offloaded : bounds.share_generic);
    if (layer.max_lsb > bounds.most_lsb) {
      return fmt::format("layer {} ({}) differs by {} LSB", layer.layer, layer.kernel,
                         layer.max_lsb);
    }
    if (layer.share() > share) {
      return fmt::format("layer {} ({}) differs in {:.2e} of its codes, expected at most {:.1e}",
                         layer.layer, layer.kernel, layer.share(), share);
    }
  }
  return "";
}

}  // namespace quantc::sweep
