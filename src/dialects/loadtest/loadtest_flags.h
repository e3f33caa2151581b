// loadtest's options as one table.
#pragma once

#include <string>

#include "cli/flag_table.h"
#include "dialects/loadtest/loadtest_options.h"

namespace carronade::dialects::loadtest {

// The rows write into `options`, which must outlive the table.
cli::FlagTable loadtest_flags(LoadtestOptions& options);

// What `--help` prints.
std::string loadtest_help();

}  // namespace carronade::dialects::loadtest
