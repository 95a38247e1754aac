// Reports: the JSON others read, JUnit, and the table.
#include "sweep/report.h"

#include <gmock/gmock.h>

#include <limits>

namespace quantc::sweep {
namespace {

CaseResult example() {
  CaseResult result;
  result.model = "resnet18";
  result.mmalib = true;
  result.preset = "quantc";
  result.synthetic_weights = true;
  result.image = "dog.jpg";
  result.verdict = Verdict::kFail;
  result.reason = "layer <conv1> & more";
  result.sqnr_db = std::numeric_limits<double>::infinity();
  result.float_top1 = 258;
  return result;
}

TEST(Report, JsonHasThePromisedFields) {
  const auto report = nlohmann::json::parse(json_report({example()}));
  EXPECT_EQ(report.at("tool"), "quantc");
  EXPECT_TRUE(report.contains("version"));
  const auto& entry = report.at("cases").at(0);
  for (const char* field : {"model",
                            "path",
                            "preset",
                            "weights",
                            "image",
                            "verdict",
                            "reason",
                            "contract_equal",
                            "layer_max_lsb",
                            "layer_worst",
                            "layer_differing_share",
                            "sqnr_db",
                            "float_sqnr_db",
                            "cosine",
                            "max_logit_diff",
                            "top1",
                            "int8_mac_share",
                            "offloaded_mac_share",
                            "arena_bytes",
                            "arena_lower_bound_bytes",
                            "pool_bytes",
                            "weights_bytes",
                            "quantize_s",
                            "compile_s",
                            "build_s",
                            "run_ms",
                            "peak_rss_bytes"}) {
    EXPECT_TRUE(entry.contains(field)) << field;
  }
  EXPECT_EQ(entry.at("path"), "mmalib");
  EXPECT_EQ(entry.at("weights"), "synthetic");
  EXPECT_EQ(entry.at("verdict"), "fail");
  EXPECT_TRUE(entry.at("sqnr_db").is_null());
  EXPECT_EQ(entry.at("top1").at("float"), 258);
}

TEST(Report, JsonReadsBack) {
  EXPECT_EQ(to_json(case_from_json(to_json(example()))), to_json(example()));
}

TEST(Report, JunitEscapesAndCounts) {
  const std::string report = junit_report({example()});
  EXPECT_THAT(report, testing::HasSubstr("failures=\"1\""));
  EXPECT_THAT(report, testing::HasSubstr("layer &lt;conv1> &amp; more"));
}

TEST(Report, TableMarksSyntheticWeightsAndHasNoColorWhenAsked) {
  const std::string table = table_report({example()}, false, false);
  EXPECT_THAT(table, testing::HasSubstr("FAIL  resnet18* mmalib dog.jpg"));
  EXPECT_THAT(table, testing::HasSubstr("0 passed, 1 failed, 0 errors"));
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("\x1b")));
  EXPECT_THAT(table_report({example()}, false, true), testing::HasSubstr("\x1b[31m"));
}

}  // namespace
}  // namespace quantc::sweep
