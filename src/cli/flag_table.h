// A command line as a table: one row a flag, from which the parsers (flags.h, getopt_flags.h,
// go_flags.h), the help text, the man page and the compatibility page (flag_docs.h) all read. A
// dialect builds its table around the options struct that the setters fill.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"

namespace carronade::cli {

enum class ArgKind {
  kSwitch,    // no value of its own; `--no-NAME` and `--NAME=false` turn it off
  kValue,     // one word
  kWords,     // one word, or several as `[ a b ]`
  kOptional,  // one word, only when it is glued on: `-lFILE`, `--log=FILE`
};

// One occurrence of a flag on the command line.
struct FlagValue {
  bool on = true;  // kSwitch
  // kValue; kOptional: "" when there was none; the words joined by spaces for kWords.
  std::string text{};
  std::vector<std::string> words{};  // kWords: at least one
  bool grouped = false;              // kWords: written in brackets
};

using FlagSetter = std::function<Expected<void>(const FlagValue&)>;

// Every member has an initialiser, so that a row may leave out what it does not need.
struct Flag {
  std::string name{};                  // long name without dashes; "" when there is only `letter`
  std::vector<std::string> aliases{};  // other long names
  char letter = 0;                     // short name; 0 for none
  ArgKind kind = ArgKind::kSwitch;
  std::string hint{};          // what the value is, for the help: "N", "FILE"
  std::string section{};       // heading in the help; "" keeps the row out of help and man page
  std::string doc{};           // one line, no full stop
  std::string more{};          // further sentences for the man page
  std::string default_text{};  // "" when there is none worth saying
  // Compatibility page: "same", "better: how", "different: why", "new" or "new: why".
  std::string compat{};
  bool supported = true;    // false: known, but refused with a line that says so
  bool repeatable = false;  // each occurrence counts; otherwise the last one holds
  FlagSetter set{};         // called once per occurrence
};

using FlagTable = std::vector<Flag>;

// The row with this long name or alias, or this letter; nullptr when there is none.
const Flag* find_long(const FlagTable& table, std::string_view name);
const Flag* find_letter(const FlagTable& table, char letter);

}  // namespace carronade::cli
