// A sweep's results for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep/case.h"

namespace quantc::sweep {

nlohmann::ordered_json to_json(const CaseResult& result);
CaseResult case_from_json(const nlohmann::ordered_json& json);

/// {"tool", "version", "cases": [...]}.
std::string json_report(const std::vector<CaseResult>& results);

/// JUnit XML, one testcase an entry.
std::string junit_report(const std::vector<CaseResult>& results);

/// A table with a line a case and a summary below. `verbose` adds memory and times; `color` is for
/// terminals.
std::string table_report(const std::vector<CaseResult>& results, bool verbose, bool color);

}  // namespace quantc::sweep
