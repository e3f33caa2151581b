// The grammars of the C tools over a flag table: GNU getopt_long (wrk, siege) and, with
// long_options and permute off, apr_getopt (ab). Each speaks with its own messages.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "carronade/expected.h"
#include "cli/flag_table.h"
#include "cli/flags.h"

namespace carronade::cli {

struct GetoptRules {
  // Options after operands too; false: the first operand ends them.
  bool permute = true;
  // `--name`, `--name=value`, `--name value`, unambiguous abbreviations. False: any word that
  // begins with two dashes ends the options and is dropped, as apr_getopt does.
  bool long_options = true;
  std::string program{};  // argv[0] in getopt's messages: "wrk: invalid option -- 'x'"
  // Hears of unknown and incomplete options, and parsing goes on. Null: they fail the parse, and
  // the message is the error.
  std::function<void(const std::string& message)> on_unknown{};
};

// Calls the setter of each flag in the order of the command line; what a setter says is the error
// as it is. Setters that were already called keep their effect.
Expected<Operands> parse_getopt(const FlagTable& table, std::span<const std::string> args,
                                const GetoptRules& rules);

}  // namespace carronade::cli
