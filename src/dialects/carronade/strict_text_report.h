// The text of the strict form: autocannon's, letter for letter.
#pragma once

#include <string>

#include "carronade/run_result.h"
#include "dialects/carronade/carronade_report.h"

namespace carronade::dialects {

std::string strict_run_header(const ReportFacts& facts, bool warmup);
std::string strict_text_report(const RunResult& result, const ReportFacts& facts);

}  // namespace carronade::dialects
