#include "dialects/carronade/carronade_report.h"

#include "dialects/carronade/plain_text_report.h"
#include "dialects/carronade/strict_text_report.h"

namespace carronade::dialects {

std::string run_header(const ReportFacts& facts, bool warmup) {
  return facts.strict ? strict_run_header(facts, warmup) : plain_run_header(facts, warmup);
}

std::string text_report(const RunResult& result, const ReportFacts& facts) {
  return facts.strict ? strict_text_report(result, facts) : plain_text_report(result, facts);
}

}  // namespace carronade::dialects
