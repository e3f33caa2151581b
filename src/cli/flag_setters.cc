#include "cli/flag_setters.h"

#include <limits>
#include <string_view>

#include "base/text.h"
#include "base/units.h"

namespace carronade::cli {
namespace {

// Takes the minus sign off `text`; true when there was one.
bool take_minus(std::string_view& text) {
  text = base::trim(text);
  if (!text.starts_with('-')) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

FlagSetter set_switch(bool& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option = value.on;
    return {};
  };
}

FlagSetter set_switch(std::optional<bool>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option = value.on;
    return {};
  };
}

FlagSetter set_text(std::string& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option = value.text;
    return {};
  };
}

FlagSetter set_text(std::optional<std::string>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option = value.text;
    return {};
  };
}

FlagSetter set_path(std::string& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    if (value.text.empty()) return unexpected(std::string("the path is empty"));
    option = value.text;
    return {};
  };
}

FlagSetter add_text(std::vector<std::string>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option.push_back(value.text);
    return {};
  };
}

FlagSetter set_words(std::vector<std::string>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option = value.words;
    return {};
  };
}

FlagSetter add_words(std::vector<std::string>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option.insert(option.end(), value.words.begin(), value.words.end());
    return {};
  };
}

FlagSetter add_list(std::vector<std::string>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    for (const std::string& word : value.words) {
      for (const std::string_view part : base::split(word, ',')) option.emplace_back(part);
    }
    return {};
  };
}

FlagSetter set_count(std::optional<int64_t>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    std::string_view text = value.text;
    const bool negative = take_minus(text);
    const Expected<uint64_t> count = base::parse_count(text);
    if (!count) return unexpected(count.error());
    if (*count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return unexpected("\"" + value.text + "\" is too large");
    }
    option = negative ? -static_cast<int64_t>(*count) : static_cast<int64_t>(*count);
    return {};
  };
}

FlagSetter set_duration(std::optional<int64_t>& option_ns, int64_t bare_unit_ns) {
  return [&option_ns, bare_unit_ns](const FlagValue& value) -> Expected<void> {
    std::string_view text = value.text;
    const bool negative = take_minus(text);
    const Expected<int64_t> span_ns = base::parse_duration(text, bare_unit_ns);
    if (!span_ns) return unexpected(span_ns.error());
    option_ns = negative ? -*span_ns : *span_ns;
    return {};
  };
}

Error none_of(std::string_view text, const std::vector<std::string_view>& names) {
  std::string line = "\"" + std::string(text) + "\" is none of ";
  for (size_t i = 0; i < names.size(); ++i) line += (i > 0 ? ", " : "") + std::string(names[i]);
  return Error{std::move(line)};
}

}  // namespace carronade::cli
