// siege's reports and its other texts: data in, text out.
#pragma once

#include <cstdint>
#include <string>

#include "dialects/siege/siege_plan.h"
#include "dialects/siege/siege_settings.h"
#include "dialects/siege/siege_tally.h"

namespace carronade::dialects::siege {

// What is derived from the counts. Everything is 0 where there is nothing to divide.
struct SiegeFigures {
  uint64_t hits = 0;
  uint64_t successful = 0;
  uint64_t failed = 0;
  double availability = 0;  // percent
  double elapsed_s = 0;
  double megabytes = 0;  // of 1024 * 1024
  double response_s = 0;
  double hits_per_s = 0;
  double megabytes_per_s = 0;
  double concurrency = 0;
  double longest_s = 0;
  double shortest_s = 0;
};

// `quirks`: the mean is the sum of all times over the hits alone.
SiegeFigures figures_of(const SiegeTally& tally, int64_t elapsed_ns, bool quirks);

// From "Transactions:" on. `old_form`: as up to siege 4.1.6, with times in seconds.
std::string text_report(const SiegeFigures& figures, bool old_form);
std::string json_report(const SiegeFigures& figures);

// Of the log file, each with its line end.
std::string log_heading();
std::string log_mark(const std::string& mark);
std::string log_line(const SiegeFigures& figures, int64_t unix_s);

std::string version_text();
std::string help_text();
std::string banner(uint32_t users);
// -C
std::string configuration_text(const SiegeSettings& settings);

}  // namespace carronade::dialects::siege
