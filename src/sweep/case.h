// One entry of a sweep: a network, a path and an image.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quantc::sweep {

enum class Verdict : std::uint8_t { kPass, kFail, kError };

std::string_view name_of(Verdict verdict);

struct CaseResult {
  std::string model;
  bool mmalib = false;
  std::string preset;
  bool synthetic_weights = false;
  std::string image;
  Verdict verdict = Verdict::kError;
  std::string reason;
  bool contract_equal = false;
  std::int64_t layer_max_lsb = 0;
  std::string layer_worst;
  double layer_differing_share = 0;  ///< Of the worst layer.
  double sqnr_db = 0;                ///< Compiled against the Q/DQ reference.
  double float_sqnr_db = 0;          ///< Compiled against the float network.
  double cosine = 0;
  double max_logit_diff = 0;
  std::int64_t integer_logit_diff = 0;  ///< The existing sweep's measure: max |int(y) - int(r)|.
  std::int64_t float_top1 = -1, reference_top1 = -1, compiled_top1 = -1;
  double reference_margin = 0;
  double int8_mac_share = 0, offloaded_mac_share = 0;
  std::int64_t arena_bytes = 0, arena_lower_bound_bytes = 0, pool_bytes = 0, weights_bytes = 0;
  double quantize_s = 0, compile_s = 0, build_s = 0, run_ms = 0;
  std::int64_t peak_rss_bytes = 0;
};

/// "resnet18 mmalib dog.jpg".
std::string title_of(const CaseResult& result);

}  // namespace quantc::sweep
