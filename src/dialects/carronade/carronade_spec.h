// From the options to a run: validation, defaults and autocannon's own rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/run_spec.h"
#include "cli/flags.h"
#include "dialects/carronade/carronade_flags.h"
#include "dialects/carronade/carronade_report.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/request_files.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

struct RunPart {
  RunSpec spec;
  ReportFacts facts;  // all but colour
};

struct Job {
  RunPart main;
  std::optional<RunPart> warmup;
  std::vector<std::string> warnings;  // one line each
  std::vector<std::string> skipped;   // the same of HAR requests, which the strict form tells too
};

// Reads the files of the requests (standard input for "-") and tries the certificate files. `port`
// is the environment variable PORT, if set.
tl::expected<Job, SpecError> make_job(const Options& options, const cli::Operands& operands,
                                      const std::optional<std::string>& port, Form form);

}  // namespace carronade::dialects
