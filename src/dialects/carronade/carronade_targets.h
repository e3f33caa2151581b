// From the words of the command line to the targets of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carronade/run_spec.h"
#include "dialects/carronade/carronade_flags.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/request_files.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

struct TargetList {
  std::vector<Target> targets;
  std::vector<std::string> urls;     // complete, as the report shows them
  std::vector<std::string> skipped;  // lines about what of a HAR file is left out
};

// A target for each of `words`. `port` is the environment variable PORT, if set.
tl::expected<TargetList, SpecError> make_targets(const Options& options, RequestFiles files,
                                                 const std::vector<std::string>& words,
                                                 const std::optional<std::string>& port, Form form);

}  // namespace carronade::dialects
