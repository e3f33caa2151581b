// The grammar of loadtest's command line, which is that of the npm package stdio 0.2.7: options
// before and after the URL, `-x v`, `-x=v`, `--name v`, `--name=v`, bundled letters; and glued
// values, `-n100`, which stdio refuses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "cli/flag_table.h"

namespace carronade::dialects::loadtest {

// What was wrong with a command line, and where it is said.
struct LoadtestMisuse {
  std::string text;        // "" for none; lines without a program's name
  bool on_stdout = false;  // options that are not known, as stdio does; else standard error
  bool with_help = false;  // the help follows on standard output
  int exit_code = 0;
};

// Calls the setters in the order of the words and appends what is no option to `operands`. A word
// of digits, '-', '.' and ',' alone is no option. `--help` anywhere comes before all mistakes.
LoadtestMisuse parse_loadtest_words(const cli::FlagTable& table, std::span<const std::string> args,
                                    std::vector<std::string>& operands);

}  // namespace carronade::dialects::loadtest
