// The text of the plain form: autocannon's tables with units by magnitude, the number of
// samples beside what it bears on, and an account of every request.
#pragma once

#include <string>

#include "carronade/run_result.h"
#include "dialects/carronade/carronade_report.h"

namespace carronade::dialects {

std::string plain_run_header(const ReportFacts& facts, bool warmup);
std::string plain_text_report(const RunResult& result, const ReportFacts& facts);

}  // namespace carronade::dialects
