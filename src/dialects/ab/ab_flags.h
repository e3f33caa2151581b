// ab's command line as a table, and its grammar: short options only, before the URL.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "cli/flag_table.h"
#include "dialects/ab/ab_options.h"

namespace carronade::dialects::ab {

// The setters fill `options`, which must outlive the table.
cli::FlagTable ab_flags(AbOptions& options);

struct AbWords {
  std::vector<std::string> operands;
  std::string misuse;  // unknown or incomplete option, as ab says it; "" for none
};

// `args` without the program's name; `--quirks` may come before everything else. The error is
// one that ab ends with 1 for, in its words; a misuse ends with the usage.
Expected<AbWords> parse_ab(std::span<const std::string> args, AbOptions& options);

// What -h prints.
std::string ab_usage();

}  // namespace carronade::dialects::ab
