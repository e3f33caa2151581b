// Runs made by hand, whose reports stand in test/golden. For tests only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/run_result.h"
#include "dialects/carronade/carronade_report.h"

namespace carronade::dialects {

struct Case {
  std::string name;
  RunResult result;
  ReportFacts facts;
};

ReportFacts basic_facts();
Case normal_case();
Case amount_case();
Case rate_case();  // an open loop
std::vector<Case> all_cases();

}  // namespace carronade::dialects
