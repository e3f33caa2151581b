// The parser of flag tables, in the grammar of minimist (autocannon's): `-c 100 -c100 -c=100
// --connections 100 --connections=100`, bundled letters, options after the operands, `--no-NAME`,
// `--NAME=false`, a literal true or false after a switch, `[ … ]` groups, `--` ends the options.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "cli/flag_table.h"

namespace carronade::cli {

struct Operands {
  std::vector<std::string> words;         // what is not an option, in order
  std::vector<std::string> after_dashes;  // everything behind `--`
};

// Calls the setter of each flag in the order of the command line. The error is one line: an
// unknown option with the nearest known one, a missing value, or what a setter said with the
// flag's name before it. Setters that were already called keep their effect.
Expected<Operands> parse_minimist(const FlagTable& table, std::span<const std::string> args);

// The words of a group written as one word or as several: "[ -c 1 ]" gives {"-c", "1"}.
std::vector<std::string> split_words(std::string_view text);

}  // namespace carronade::cli
