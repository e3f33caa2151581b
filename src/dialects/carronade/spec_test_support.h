// From the words of a command line to the spec of a run, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialects/carronade/carronade_spec.h"

namespace carronade::dialects {

using Words = std::vector<std::string>;

struct Outcome {
  std::optional<Job> job;
  std::string error;
  bool exits_ok = false;

  const RunSpec& spec() const { return job->main.spec; }
  const RateSpec& rate() const { return spec().rate.value(); }
  const Request& request() const { return spec().targets.at(0).request; }
  const ReportFacts& facts() const { return job->main.facts; }
};

inline Outcome outcome_of(const Words& args, Form form,
                          const std::optional<std::string>& port = std::nullopt) {
  Options options;
  const auto operands = cli::parse_minimist(carronade_flags(options), args);
  if (!operands) return {std::nullopt, operands.error().text};
  auto job = make_job(options, *operands, port, form);
  if (!job) return {std::nullopt, job.error().text, job.error().strict_exits_ok};
  return {std::move(*job), ""};
}

// The test ends when the options are refused.
inline Outcome accepted(Outcome outcome) {
  EXPECT_EQ(outcome.error, "");
  if (!outcome.job) std::abort();
  return outcome;
}

}  // namespace carronade::dialects
