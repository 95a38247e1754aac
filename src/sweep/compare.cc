#include "sweep/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace quantc::sweep {
namespace {

std::string output_fault(std::span<const float> reference, std::span<const float> output) {
  if (reference.size() != output.size()) {
    return fmt::format("expected {} values, found {}", reference.size(), output.size());
  }
  if (output.empty()) return "empty";
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(output.begin(), output.end(), finite)) return "not finite";
  if (!std::all_of(reference.begin(), reference.end(), finite)) return "reference not finite";
  const auto same = [&](float value) { return value == output[0]; };
  if (output.size() > 1 && std::all_of(output.begin(), output.end(), same)) {
    return output[0] == 0 ? "all zero" : "constant";
  }
  return "";
}

double margin_of(std::span<const float> values) {
  if (values.size() < 2) return 0;
  std::vector<float> sorted(values.begin(), values.end());
  std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
  return double{sorted[0]} - sorted[1];
}

}  // namespace

std::int64_t top1(std::span<const float> values) {
  if (values.empty()) return -1;
  return std::max_element(values.begin(), values.end()) - values.begin();
}

Comparison compare(std::span<const float> reference, std::span<const float> output) {
  Comparison comparison;
  comparison.degenerate = output_fault(reference, output);
  if (!comparison.degenerate.empty()) return comparison;
  double signal = 0;
  double noise = 0;
  double product = 0;
  double power = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double r = reference[i];
    const double y = output[i];
    signal += r * r;
    noise += (r - y) * (r - y);
    product += r * y;
    power += y * y;
    comparison.max_diff = std::max(comparison.max_diff, std::abs(r - y));
  }
  comparison.sqnr_db =
      noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
  const double norms = std::sqrt(signal) * std::sqrt(power);
  comparison.cosine = norms == 0 ? 0 : product / norms;
  comparison.reference_top1 = top1(reference);
  comparison.output_top1 = top1(output);
  comparison.reference_margin = margin_of(reference);
  return comparison;
}

std::string network_fault(const Comparison& c, const NetworkBounds& bounds) {
  if (!c.degenerate.empty()) return "output is degenerate: " + c.degenerate;
  if (!(c.sqnr_db >= bounds.least_sqnr_db)) {
    return fmt::format("SQNR {:.1f} dB against the reference, expected {:.1f}", c.sqnr_db,
                       bounds.least_sqnr_db);
  }
  if (!(c.cosine >= bounds.least_cosine)) {
    return fmt::format("cosine {:.4f} against the reference, expected {:.2f}", c.cosine,
                       bounds.least_cosine);
  }
  return "";
}

}  // namespace quantc::sweep
