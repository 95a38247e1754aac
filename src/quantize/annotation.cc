#include "quantize/annotation.h"

#include <functional>
#include <numeric>

#include "target/capability.h"

namespace quantc::quantize {
namespace {

using target::IntegerRole;

std::size_t at(ir::ValueId id) { return static_cast<std::size_t>(id); }

class Annotator {
 public:
  Annotator(const ir::Graph& graph, const AnnotationOptions& options)
      : graph_(graph),
        options_(options),
        producers_(ir::producers(graph)),
        users_(ir::users(graph)),
        is_output_(ir::output_mask(graph)),
        parent_(graph.values.size()) {
    annotation_.values.resize(graph.values.size());
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  Annotation run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto id = static_cast<ir::NodeId>(i);
      if (options_.preset == Preset::kQuantc) {
        annotate_accurate(id);
      } else {
        annotate_c7x(id);
      }
    }
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      annotation_.values[i].group = root(static_cast<ir::ValueId>(i));
    }
    return std::move(annotation_);
  }

 private:
  ValueAnnotation& of(ir::ValueId id) { return annotation_.values[at(id)]; }

  ir::ValueId root(ir::ValueId id) const {
    while (parent_[at(id)] != id) id = parent_[at(id)];
    return id;
  }

  // The earlier group keeps its name.
  void share(ir::ValueId a, ir::ValueId b) { parent_[at(root(b))] = root(a); }

  std::size_t activation_inputs(const ir::Node& node) const {
    return target::integer_role(node.op) == IntegerRole::kWeighted ? 1 : node.inputs.size();
  }

  // ---- Preset quantc: everything with an integer kernel, observed behind its activation ----

  void annotate_accurate(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    const IntegerRole role = target::integer_role(node.op);
    if (role == IntegerRole::kNone) return;
    if (role == IntegerRole::kWeighted) annotation_.weighted.push_back(id);
    for (std::size_t i = 0; i < activation_inputs(node); ++i) {
      if (!absorbed(node.inputs[i]) && !stays_float(node.inputs[i])) quantize(node.inputs[i]);
    }
    if (absorbed(node.output) || stays_float(node.output)) return;
    quantize(node.output);
    share_codes(node, role);
  }

  void share_codes(const ir::Node& node, IntegerRole role) {
    if (role == IntegerRole::kPassThrough) {
      share(node.inputs[0], node.output);
      of(node.output).observed = false;
    }
    if (role != IntegerRole::kConcat) return;
    // What nobody else reads can have the whole's codes: one rounding less, and it is written in
    // place. The whole is observed, and holds it.
    for (const ir::ValueId part : node.inputs) {
      if (users_[at(part)].size() != 1 || is_output_[at(part)]) continue;
      share(node.output, part);
      of(part).observed = false;
    }
  }

  void quantize(ir::ValueId id) { of(id).quantized = true; }

  // A layer's result that only its activation reads never exists as codes.
  bool absorbed(ir::ValueId id) const {
    const auto producer = producers_[at(id)];
    if (!producer || users_[at(id)].size() != 1 || is_output_[at(id)]) return false;
    const ir::Op& reader = graph_.node(users_[at(id)][0]).op;
    return target::absorbs_activation(target::integer_role(graph_.node(*producer).op)) &&
           target::integer_role(reader) == IntegerRole::kActivation;
  }

  // Graph outputs stay float where their kernel can write float32, through flattening and a fused
  // activation.
  bool stays_float(ir::ValueId id) const {
    if (options_.quantize_outputs) return false;
    if (!is_output_[at(id)] && !only_flattened_to_output(id)) return false;
    return float_kernel_makes(id);
  }

  bool only_flattened_to_output(ir::ValueId id) const {
    if (users_[at(id)].size() != 1 || is_output_[at(id)]) return false;
    const ir::Node& reader = graph_.node(users_[at(id)][0]);
    if (!std::holds_alternative<ir::Flatten>(reader.op)) return false;
    return is_output_[at(reader.output)] || only_flattened_to_output(reader.output);
  }

  bool float_kernel_makes(ir::ValueId id) const {
    const auto producer = producers_[at(id)];
    if (!producer) return false;
    const ir::Node& node = graph_.node(*producer);
    if (std::holds_alternative<ir::Flatten>(node.op)) {
      return users_[at(node.inputs[0])].size() == 1 && float_kernel_makes(node.inputs[0]);
    }
    if (target::integer_role(node.op) == IntegerRole::kActivation) {
      const ir::ValueId inner = node.inputs[0];
      const auto layer = producers_[at(inner)];
      return absorbed(inner) &&
             target::integer_role(graph_.node(*layer).op) == IntegerRole::kWeighted;
    }
    return target::can_emit_float(target::integer_role(node.op));
  }

  // ---- Preset c7x-mma: TI's C7xMMAQuantizer, node by node ----

  void annotate_c7x(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    if (std::holds_alternative<ir::Clip>(node.op) || std::holds_alternative<ir::Concat>(node.op)) {
      return;  // hardtanh_ and cat are not on TI's list
    }
    const IntegerRole role = target::integer_role(node.op);
    if (role == IntegerRole::kNone) return;
    if (role == IntegerRole::kWeighted) annotation_.weighted.push_back(id);
    const bool transparent = role == IntegerRole::kPassThrough || role == IntegerRole::kActivation;
    const bool producer_annotated =
        transparent && of(node.inputs[0]).quantized && of(node.inputs[0]).for_all_readers;
    for (std::size_t i = 0; i < activation_inputs(node); ++i) read_quantized(node.inputs[i], id);
    of(node.output).quantized = true;
    if (producer_annotated) share(node.inputs[0], node.output);
  }

  // An edge that is annotated although its producer is not is quantized for this reader only.
  void read_quantized(ir::ValueId id, ir::NodeId reader) {
    ValueAnnotation& value = of(id);
    if (!value.quantized) value.for_all_readers = false;
    value.quantized = true;
    value.readers.push_back(reader);
  }

  const ir::Graph& graph_;
  const AnnotationOptions& options_;
  std::vector<std::optional<ir::NodeId>> producers_;
  std::vector<std::vector<ir::NodeId>> users_;
  std::vector<bool> is_output_;
  std::vector<ir::ValueId> parent_;
  Annotation annotation_;
};

}  // namespace

std::string_view name_of(Preset preset) { return preset == Preset::kQuantc ? "quantc" : "c7x-mma"; }

Annotation annotate(const ir::Graph& graph, const AnnotationOptions& options) {
  return Annotator(graph, options).run();
}

}  // namespace quantc::quantize
