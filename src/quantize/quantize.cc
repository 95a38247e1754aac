#include "quantize/quantize.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/error.h"
#include "ir/verify.h"
#include "quantize/weights.h"
#include "reference/executor.h"
#include "target/capability.h"
#include "target/mmalib.h"

namespace quantc::quantize {
namespace {

using Params = std::map<ir::ValueId, ir::QuantParams>;  // by group

std::size_t at(ir::ValueId id) { return static_cast<std::size_t>(id); }

Scheme activation_scheme(const QuantizeOptions& options) {
  return {.symmetric = options.symmetric_activations || options.preset == Preset::kC7xMma};
}

Params calibrate(const ir::Graph& graph, const Annotation& annotation,
                 const CalibrationSource& source, const QuantizeOptions& options) {
  const ObserverKind kind =
      options.preset == Preset::kC7xMma ? ObserverKind::kMinMax : options.observer;
  std::map<ir::ValueId, std::unique_ptr<Observer>> observers;
  const auto observe = [&](ir::ValueId id, const ir::Tensor& tensor) {
    const ValueAnnotation& value = annotation.values[at(id)];
    if (!value.quantized || !value.observed) return;
    auto& observer = observers[value.group];
    if (!observer) observer = make_observer(kind);
    with_context("calibration of " + graph.value(id).name,
                 [&] { observer->observe(tensor.values<float>()); });
  };
  while (const auto input = source()) reference::execute(graph, {*input}, observe);
  if (observers.empty()) {
    throw InputError("calibration: expected at least one picture, found none");
  }
  Params params;
  for (const auto& [group, observer] : observers) {
    params[group] = params_of(observer->range(), activation_scheme(options));
  }
  return params;
}

class Converter {
 public:
  Converter(const ir::Graph& graph, const Annotation& annotation, const Params& params,
            const QuantizeOptions& options)
      : graph_(graph),
        annotation_(annotation),
        params_(params),
        options_(options),
        users_(ir::users(graph)) {}

  Quantized run() {
    out_.name = graph_.name;
    for (const ir::ValueId input : graph_.inputs) {
      float_[input] = out_.add_input(graph_.value(input).name, graph_.value(input).type);
      quantize_value(input);
    }
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      convert_node(static_cast<ir::NodeId>(i));
    }
    for (const ir::ValueId output : graph_.outputs) out_.outputs.push_back(read(output, -1));
    ir::verify(out_);
    return {ir::without_dead_nodes(out_), std::move(notes_)};
  }

 private:
  const ir::QuantParams* params_of_value(ir::ValueId id) const {
    const ValueAnnotation& value = annotation_.values[at(id)];
    if (!value.quantized) return nullptr;
    return &params_.at(value.group);
  }

  void quantize_value(ir::ValueId id) {
    const ir::QuantParams* params = params_of_value(id);
    if (params == nullptr) return;
    const std::string& name = graph_.value(id).name;
    const ir::ValueId codes =
        out_.add_node(name + ".quantize", ir::Quantize{*params}, {float_.at(id)});
    dequantized_[id] = out_.add_node(name + ".dequantize", ir::Dequantize{*params}, {codes});
  }

  // The value as `reader` sees it (-1: a graph output).
  ir::ValueId read(ir::ValueId id, ir::NodeId reader) {
    if (graph_.is_constant(id)) return constant(id);
    const auto dequantized = dequantized_.find(id);
    if (dequantized == dequantized_.end()) return float_.at(id);
    const ValueAnnotation& value = annotation_.values[at(id)];
    const bool sees_codes =
        value.for_all_readers ||
        std::find(value.readers.begin(), value.readers.end(), reader) != value.readers.end();
    return sees_codes ? dequantized->second : float_.at(id);
  }

  ir::ValueId constant(ir::ValueId id) {
    const auto known = float_.find(id);
    if (known != float_.end()) return known->second;
    return float_[id] = out_.add_constant(graph_.value(id).name, *graph_.value(id).constant);
  }

  void convert_node(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    const bool weighted = std::find(annotation_.weighted.begin(), annotation_.weighted.end(), id) !=
                          annotation_.weighted.end();
    std::vector<ir::ValueId> inputs = {read(node.inputs.at(0), id)};
    if (weighted) {
      add_integer_weights(node, inputs);
    } else {
      for (std::size_t i = 1; i < node.inputs.size(); ++i) {
        inputs.push_back(read(node.inputs[i], id));
      }
    }
    const ir::ValueId output = out_.add_node(node.name, node.op, std::move(inputs));
    float_[node.output] = output;
    quantize_value(node.output);
  }

  // The parameters of what the layer writes, behind the activation it absorbs; none: float32.
  const ir::QuantParams* output_params(const ir::Node& node) const {
    if (const ir::QuantParams* own = params_of_value(node.output)) return own;
    const std::vector<ir::NodeId>& readers = users_[at(node.output)];
    if (readers.size() != 1) return nullptr;
    const ir::Node& reader = graph_.node(readers[0]);
    if (target::integer_role(reader.op) != target::IntegerRole::kActivation) return nullptr;
    return params_of_value(reader.output);
  }

  bool offloads(const ir::Node& node) const {
    const auto* conv = std::get_if<ir::Conv2d>(&node.op);
    if (conv == nullptr) return true;
    const ir::Shape& x = graph_.value(node.inputs[0]).type.shape;
    const ir::Shape& w = graph_.value(node.inputs[1]).type.shape;
    const ir::Shape& y = graph_.value(node.output).type.shape;
    return !target::mma_refusal({.batch = x[0],
                                 .c_in = x[1],
                                 .h_in = x[2],
                                 .w_in = x[3],
                                 .c_out = y[1],
                                 .h_out = y[2],
                                 .w_out = y[3],
                                 .kernel = {w[2], w[3]},
                                 .conv = *conv});
  }

  WeightScheme weight_scheme(const ir::Node& node, float x_scale) const {
    if (options_.preset == Preset::kC7xMma) {
      return {.qmin = -128, .qmax = 127, .x_scale = x_scale, .fits_bias = false};
    }
    const ir::QuantParams* y = output_params(node);
    const bool snaps = options_.target.mmalib && y != nullptr && offloads(node);
    return {.x_scale = x_scale, .y_scale = snaps ? y->scale[0] : 1.0F, .mma_multipliers = snaps};
  }

  void add_integer_weights(const ir::Node& node, std::vector<ir::ValueId>& inputs) {
    const ir::QuantParams* x = params_of_value(node.inputs[0]);
    if (x == nullptr || !graph_.is_constant(node.inputs[1])) {
      throw UnsupportedError(node.name + ": expected an int8 input and constant weights");
    }
    const WeightScheme scheme = weight_scheme(node, x->scale[0]);
    const IntegerWeights weights =
        quantize_weights(*graph_.value(node.inputs[1]).constant, float_bias(node), scheme);
    inputs.push_back(add_dequantized(graph_.value(node.inputs[1]).name, weights));
    for (const std::int64_t channel : weights.raised) {
      notes_.push_back(node.name + ": weight scale of channel " + std::to_string(channel) +
                       " raised so that its bias fits int32");
    }
    add_bias(node, scheme, weights.params, inputs);
  }

  // Empty where the layer has none.
  std::span<const float> float_bias(const ir::Node& node) const {
    if (node.inputs.size() < 3) return {};
    if (!graph_.is_constant(node.inputs[2])) {
      throw UnsupportedError(node.name + ": expected a constant bias, found a computed one");
    }
    return graph_.value(node.inputs[2]).constant->values<float>();
  }

  void add_bias(const ir::Node& node, const WeightScheme& scheme,
                const ir::QuantParams& weight_params, std::vector<ir::ValueId>& inputs) {
    if (scheme.mma_multipliers) {
      inputs.push_back(
          out_.add_constant(node.name + ".mma_bias",
                            mma_bias(float_bias(node), weight_params, scheme.x_scale,
                                     *output_params(node), options_.target.mmalib_truncates)));
      return;
    }
    if (node.inputs.size() < 3) return;
    if (options_.preset == Preset::kC7xMma) {
      inputs.push_back(constant(node.inputs[2]));  // TI leaves the bias float
      return;
    }
    inputs.push_back(add_dequantized(
        graph_.value(node.inputs[2]).name,
        quantize_bias(*graph_.value(node.inputs[2]).constant, weight_params, scheme.x_scale)));
  }

  ir::ValueId add_dequantized(const std::string& name, const IntegerWeights& weights) {
    const ir::ValueId codes = out_.add_constant(name + ".codes", weights.codes);
    return out_.add_node(name + ".dequantize", ir::Dequantize{weights.params}, {codes});
  }

  const ir::Graph& graph_;
  const Annotation& annotation_;
  const Params& params_;
  const QuantizeOptions& options_;
  std::vector<std::vector<ir::NodeId>> users_;
  ir::Graph out_;
  std::map<ir::ValueId, ir::ValueId> float_;
  std::map<ir::ValueId, ir::ValueId> dequantized_;
  std::vector<std::string> notes_;
};

}  // namespace

Quantized quantize(const ir::Graph& graph, const CalibrationSource& source,
                   const QuantizeOptions& options) {
  const Annotation annotation = annotate(graph, {options.preset, options.quantize_outputs});
  const Params params = calibrate(graph, annotation, source, options);
  return Converter(graph, annotation, params, options).run();
}

}  // namespace quantc::quantize
