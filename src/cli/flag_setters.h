// Setters that most rows of a flag table share. Each keeps a reference to the option it fills,
// which must outlive the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// "\"x\" is none of queue, drop".
Error none_of(std::string_view text, const std::vector<std::string_view>& names);

// One of a few words, each with its meaning.
template <class T>
FlagSetter set_choice(std::optional<T>& option,
                      std::vector<std::pair<std::string_view, T>> choices) {
  return [&option, choices = std::move(choices)](const FlagValue& value) -> Expected<void> {
    std::vector<std::string_view> names;
    for (const auto& [name, meaning] : choices) {
      names.push_back(name);
      if (value.text != name) continue;
      option = meaning;
      return {};
    }
    return unexpected(none_of(value.text, names));
  };
}

}  // namespace carronade::cli
