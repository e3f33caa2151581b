// Setters that most rows of a flag table share. Each keeps a reference to the option it fills,
// which must outlive the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/flag_table.h"

namespace carronade::cli {

FlagSetter set_switch(bool& option);
FlagSetter set_switch(std::optional<bool>& option);
FlagSetter set_text(std::string& option);
FlagSetter set_text(std::optional<std::string>& option);
FlagSetter add_text(std::vector<std::string>& option);
FlagSetter set_path(std::string& option);                // refuses "", which would stand for none
FlagSetter set_words(std::vector<std::string>& option);  // a later one replaces
FlagSetter add_words(std::vector<std::string>& option);
FlagSetter add_list(std::vector<std::string>& option);  // words cut at their commas

// "100", "1k", "2.5M". A minus sign is read, so that the dialect can refuse the number in its
// own words.
FlagSetter set_count(std::optional<int64_t>& option);
// "10", "1m30s", "-1"; a bare number is in `bare_unit_ns`.
FlagSetter set_duration(std::optional<int64_t>& option_ns, int64_t bare_unit_ns);

}  // namespace carronade::cli
