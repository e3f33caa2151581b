// The grammar of Go's flag package over a flag table (vegeta, gobench): `-x v`, `-x=v`, `--x v`;
// a switch takes a value only as `-x=false`; the first word that is no flag ends the flags, and so
// does `--`. Rows have a name and no letter: `name` may be one character.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "cli/flag_table.h"
#include "cli/flags.h"

namespace carronade::cli {

// Operands::words is all behind the flags. Errors are in Go's words ("flag provided but not
// defined: -x"), or what a setter said, as it is. `-h` and `-help` are flags like any other.
Expected<Operands> parse_go_flags(const FlagTable& table, std::span<const std::string> args);

// What Go's PrintDefaults prints: the rows in the order of their names, `hint` as the type ("" for
// switches), `doc`, and `default_text` as it stands ("" for none). Rows without `doc` are left out.
std::string go_flag_defaults(const FlagTable& table);

// The error of a setter: `invalid value "x" for flag -rate: parse error`.
Error invalid_go_value(std::string_view value, std::string_view flag,
                       std::string_view why = "parse error");

// A text in double quotes as Go's %q writes it, for ASCII and well-formed UTF-8; other bytes \xNN.
std::string go_quoted(std::string_view text);

// "10", "-1", "0x1f", "1_000": whole numbers as Go's flags read them. `flag` is the row's name.
FlagSetter set_go_int(std::string flag, int64_t& option);

}  // namespace carronade::cli
