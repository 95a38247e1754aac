// From a float graph to a QDQ graph: annotate, calibrate, convert.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "quantize/annotation.h"
#include "quantize/observer.h"
#include "target/target.h"

namespace quantc::quantize {

struct QuantizeOptions {
  Preset preset = Preset::kQuantc;
  bool symmetric_activations = false;                ///< c7x-mma always is.
  ObserverKind observer = ObserverKind::kHistogram;  ///< c7x-mma always has min/max.
  bool quantize_outputs = false;
  target::Target target;  ///< Weight scales follow its multipliers.
};

/// The next calibration input, or nothing after the last. Inputs are observed one by one and not
/// kept.
using CalibrationSource = std::function<std::optional<ir::Tensor>()>;

struct Quantized {
  ir::Graph graph;
  std::vector<std::string> notes;  ///< What the user should know: scales raised for a bias.
};

/// Quantizes a canonical graph (BatchNorm folded). InputError if the source is empty or a value is
/// not finite.
Quantized quantize(const ir::Graph& graph, const CalibrationSource& source,
                   const QuantizeOptions& options);

}  // namespace quantc::quantize
