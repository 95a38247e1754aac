#include "sweep/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <pugixml.hpp>
#include <sstream>

namespace quantc::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kVersion = "0.1.0";

// JSON has no infinity: an output equal to its reference has no noise.
Json decibels(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double decibels_from(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

std::string decibel_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.1f}", value) : "equal";
}

std::string verdict_text(Verdict verdict, bool color) {
  static constexpr std::array<std::string_view, 3> kTexts = {"PASS", "FAIL", "ERROR"};
  static constexpr std::array<int, 3> kColors = {32, 31, 35};
  const auto i = static_cast<std::size_t>(verdict);
  const std::string padded = fmt::format("{:<5}", kTexts.at(i));
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", kColors.at(i), padded) : padded;
}

std::size_t longest_title(const std::vector<CaseResult>& results) {
  std::size_t longest = 0;
  for (const CaseResult& result : results) longest = std::max(longest, title_of(result).size());
  return longest;
}

std::string line_of(const CaseResult& r, std::size_t width, bool verbose, bool color) {
  std::string line = fmt::format("{} {:<{}}", verdict_text(r.verdict, color), title_of(r), width);
  if (r.verdict == Verdict::kError) return line + "  " + r.reason + "\n";
  line += fmt::format(
      "  {:>5}  {:>3}  {:>8.1e}  {:>7}  {:>7}  {:>4}/{:>4}/{:>4}  {:>5.1f}%  {:>5.1f}%",
      r.contract_equal ? "equal" : "DIFF", r.layer_max_lsb, r.layer_differing_share,
      decibel_text(r.sqnr_db), decibel_text(r.float_sqnr_db), r.float_top1, r.reference_top1,
      r.compiled_top1, r.int8_mac_share * 100, r.offloaded_mac_share * 100);
  if (verbose) {
    line += fmt::format("  {:>9.2f}  {:>9.2f}  {:>8.1f}  {:>6.2f}  {:>6.2f}  {:>6.2f}  {:>4}",
                        static_cast<double>(r.arena_bytes) / 0x1p20,
                        static_cast<double>(r.pool_bytes) / 0x1p20, r.run_ms, r.quantize_s,
                        r.compile_s, r.build_s, r.integer_logit_diff);
  }
  return line + (r.reason.empty() ? "" : "  " + r.reason) + "\n";
}

std::string header(std::size_t width, bool verbose) {
  std::string line = fmt::format(
      "{:<5} {:<{}}  {:>5}  {:>3}  {:>8}  {:>7}  {:>7}  {:>14}  {:>6}  {:>6}", "", "case", width,
      "bytes", "LSB", "differ", "ref dB", "flt dB", "top1 f/r/c", "int8", "mma");
  if (verbose) {
    line += fmt::format("  {:>9}  {:>9}  {:>8}  {:>6}  {:>6}  {:>6}  {:>4}", "arena MiB",
                        "pool MiB", "run ms", "quant s", "comp s", "build s", "|int|");
  }
  return line + "\n";
}

std::string summary(const std::vector<CaseResult>& results) {
  std::array<std::size_t, 3> counts = {0, 0, 0};
  for (const CaseResult& result : results) ++counts.at(static_cast<std::size_t>(result.verdict));
  const bool synthetic = std::any_of(results.begin(), results.end(),
                                     [](const auto& r) { return r.synthetic_weights; });
  return fmt::format("{} passed, {} failed, {} errors{}\n", counts[0], counts[1], counts[2],
                     synthetic ? "; synthetic weights are marked *" : "");
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  static constexpr std::array<std::string_view, 3> kNames = {"pass", "fail", "error"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::string title_of(const CaseResult& result) {
  return fmt::format("{}{} {} {}", result.model, result.synthetic_weights ? "*" : "",
                     result.mmalib ? "mmalib" : "generic", result.image);
}

Json to_json(const CaseResult& r) {
  return {{"model", r.model},
          {"path", r.mmalib ? "mmalib" : "generic"},
          {"preset", r.preset},
          {"weights", r.synthetic_weights ? "synthetic" : "real"},
          {"image", r.image},
          {"verdict", name_of(r.verdict)},
          {"reason", r.reason},
          {"contract_equal", r.contract_equal},
          {"layer_max_lsb", r.layer_max_lsb},
          {"layer_worst", r.layer_worst},
          {"layer_differing_share", r.layer_differing_share},
          {"sqnr_db", decibels(r.sqnr_db)},
          {"float_sqnr_db", decibels(r.float_sqnr_db)},
          {"cosine", r.cosine},
          {"max_logit_diff", r.max_logit_diff},
          {"integer_logit_diff", r.integer_logit_diff},
          {"top1",
           {{"float", r.float_top1},
            {"reference", r.reference_top1},
            {"compiled", r.compiled_top1},
            {"reference_margin", r.reference_margin}}},
          {"int8_mac_share", r.int8_mac_share},
          {"offloaded_mac_share", r.offloaded_mac_share},
          {"arena_bytes", r.arena_bytes},
          {"arena_lower_bound_bytes", r.arena_lower_bound_bytes},
          {"pool_bytes", r.pool_bytes},
          {"weights_bytes", r.weights_bytes},
          {"quantize_s", r.quantize_s},
          {"compile_s", r.compile_s},
          {"build_s", r.build_s},
          {"run_ms", r.run_ms},
          {"peak_rss_bytes", r.peak_rss_bytes}};
}

CaseResult case_from_json(const Json& json) {
  CaseResult r;
  r.model = json.at("model");
  r.mmalib = json.at("path") == "mmalib";
  r.preset = json.at("preset");
  r.synthetic_weights = json.at("weights") == "synthetic";
  r.image = json.at("image");
  for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kError}) {
    if (json.at("verdict") == name_of(verdict)) r.verdict = verdict;
  }
  r.reason = json.at("reason");
  r.contract_equal = json.at("contract_equal");
  r.layer_max_lsb = json.at("layer_max_lsb");
  r.layer_worst = json.at("layer_worst");
  r.layer_differing_share = json.at("layer_differing_share");
  r.sqnr_db = decibels_from(json.at("sqnr_db"));
  r.float_sqnr_db = decibels_from(json.at("float_sqnr_db"));
  r.cosine = json.at("cosine");
  r.max_logit_diff = json.at("max_logit_diff");
  r.integer_logit_diff = json.at("integer_logit_diff");
  const Json& top = json.at("top1");
  r.float_top1 = top.at("float");
  r.reference_top1 = top.at("reference");
  r.compiled_top1 = top.at("compiled");
  r.reference_margin = top.at("reference_margin");
  r.int8_mac_share = json.at("int8_mac_share");
  r.offloaded_mac_share = json.at("offloaded_mac_share");
  r.arena_bytes = json.at("arena_bytes");
  r.arena_lower_bound_bytes = json.at("arena_lower_bound_bytes");
  r.pool_bytes = json.at("pool_bytes");
  r.weights_bytes = json.at("weights_bytes");
  r.quantize_s = json.at("quantize_s");
  r.compile_s = json.at("compile_s");
  r.build_s = json.at("build_s");
  r.run_ms = json.at("run_ms");
  r.peak_rss_bytes = json.at("peak_rss_bytes");
  return r;
}

std::string json_report(const std::vector<CaseResult>& results) {
  Json cases = Json::array();
  for (const CaseResult& result : results) cases.push_back(to_json(result));
  return Json{{"tool", "quantc"}, {"version", kVersion}, {"cases", cases}}.dump(2) + "\n";
}

std::string junit_report(const std::vector<CaseResult>& results) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuite");
  const auto count = [&](Verdict verdict) {
    return std::count_if(results.begin(), results.end(),
                         [&](const CaseResult& r) { return r.verdict == verdict; });
  };
  suite.append_attribute("name") = "quantc sweep";
  suite.append_attribute("tests") = static_cast<long long>(results.size());
  suite.append_attribute("failures") = static_cast<long long>(count(Verdict::kFail));
  suite.append_attribute("errors") = static_cast<long long>(count(Verdict::kError));
  for (const CaseResult& result : results) {
    pugi::xml_node entry = suite.append_child("testcase");
    entry.append_attribute("classname") = result.model.c_str();
    entry.append_attribute("name") = title_of(result).c_str();
    entry.append_attribute("time") =
        fmt::format("{:.3f}", result.quantize_s + result.compile_s + result.build_s).c_str();
    if (result.verdict == Verdict::kPass) continue;
    const char* kind = result.verdict == Verdict::kFail ? "failure" : "error";
    entry.append_child(kind).append_attribute("message") = result.reason.c_str();
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

std::string table_report(const std::vector<CaseResult>& results, bool verbose, bool color) {
  const std::size_t width = std::max<std::size_t>(longest_title(results), 4);
  std::string text = header(width, verbose);
  for (const CaseResult& result : results) text += line_of(result, width, verbose, color);
  return text + summary(results);
}

}  // namespace quantc::sweep
