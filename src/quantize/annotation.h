// Which values of a graph are quantized, for whom, and which of them share parameters.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace quantc::quantize {

enum class Preset : std::uint8_t { kQuantc, kC7xMma };

std::string_view name_of(Preset preset);

struct ValueAnnotation {
  bool quantized = false;
  bool for_all_readers = true;  ///< Else only for the nodes in `readers`.
  std::vector<ir::NodeId> readers;
  ir::ValueId group = -1;  ///< The value whose parameters this one has.
  bool observed = true;    ///< Its data enters the group's observer.
};

struct Annotation {
  std::vector<ValueAnnotation> values;  ///< By value id.
  std::vector<ir::NodeId> weighted;     ///< Nodes whose weights become integers.
};

struct AnnotationOptions {
  Preset preset = Preset::kQuantc;
  bool quantize_outputs = false;
};

Annotation annotate(const ir::Graph& graph, const AnnotationOptions& options);

}  // namespace quantc::quantize
