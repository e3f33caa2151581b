#include "cli/go_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"

namespace carronade::cli {
namespace {

// The words of Go's strconv.ParseBool.
std::optional<bool> parse_go_bool(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

Expected<void> apply_switch(const Flag& flag, std::string_view name,
                            std::optional<std::string_view> value) {
  const std::optional<bool> on = parse_go_bool(value.value_or("true"));
  if (on) return flag.set(FlagValue{.on = *on});
  return unexpected(
      fmt::format("invalid boolean value {} for -{}: parse error", go_quoted(*value), name));
}

// Takes out the underscores; false where one does not stand between digits. A prefix counts as one.
bool take_underscores(std::string& digits, int base) {
  const bool misplaced = digits.ends_with('_') || (base == 10 && digits.starts_with('_')) ||
                         digits.find("__") != std::string::npos;
  std::erase(digits, '_');
  return !misplaced;
}

// Takes the prefix off `text`; 10 when there is none.
int take_base(std::string_view& text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  const char mark = static_cast<char>(text[1] | 0x20);
  const int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
  text.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

}  // namespace

Expected<Operands> parse_go_flags(const FlagTable& table, std::span<const std::string> args) {
  size_t at = 0;
  while (at < args.size()) {
    const std::string_view word = args[at];
    if (word.size() < 2 || word[0] != '-') break;
    ++at;
    if (word == "--") break;
    const std::string_view body = word.substr(word[1] == '-' ? 2 : 1);
    if (body.empty() || body[0] == '-' || body[0] == '=') {
      return unexpected("bad flag syntax: " + std::string(word));
    }
    const size_t equals = body.find('=');
    const std::string_view name = body.substr(0, equals);
    std::optional<std::string_view> value;
    if (equals != std::string_view::npos) value = body.substr(equals + 1);
    const Flag* flag = find_long(table, name);
    if (flag == nullptr) {
      return unexpected("flag provided but not defined: -" + std::string(name));
    }
    Expected<void> done;
    if (flag->kind == ArgKind::kSwitch) {
      done = apply_switch(*flag, name, value);
    } else {
      if (!value && at < args.size()) value = args[at++];
      if (!value) return unexpected("flag needs an argument: -" + std::string(name));
      done = flag->set(FlagValue{.text = std::string(*value), .words = {std::string(*value)}});
    }
    if (!done) return unexpected(done.error());
  }
  Operands operands;
  operands.words.assign(args.begin() + static_cast<std::ptrdiff_t>(at), args.end());
  return operands;
}

std::string go_flag_defaults(const FlagTable& table) {
  std::vector<const Flag*> rows;
  for (const Flag& flag : table) {
    if (!flag.doc.empty()) rows.push_back(&flag);
  }
  std::sort(rows.begin(), rows.end(),
            [](const Flag* a, const Flag* b) { return a->name < b->name; });
  std::string text;
  for (const Flag* flag : rows) {
    text += "  -" + flag->name;
    if (!flag->hint.empty()) text += " " + flag->hint;
    // Go puts switches of one letter on the line of their text.
    text += flag->name.size() == 1 && flag->hint.empty() ? "\t" : "\n    \t";
    text += flag->doc;
    if (!flag->default_text.empty()) text += " (default " + flag->default_text + ")";
    text += '\n';
  }
  return text;
}

Error invalid_go_value(std::string_view value, std::string_view flag, std::string_view why) {
  return Error{fmt::format("invalid value {} for flag -{}: {}", go_quoted(value), flag, why)};
}

std::string go_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text) {
    switch (byte) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        quoted += byte;
    }
  }
  return base::printable(quoted + "\"");
}

FlagSetter set_go_int(std::string flag, int64_t& option) {
  return [flag = std::move(flag), &option](const FlagValue& value) -> Expected<void> {
    std::string_view text = value.text;
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const int base = take_base(text);
    std::string digits(text);
    uint64_t number = 0;
    if (!take_underscores(digits, base)) return unexpected(invalid_go_value(value.text, flag));
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    const bool whole = !digits.empty() && end == digits.data() + digits.size();
    const bool malformed = error == std::errc::invalid_argument || !whole;
    if (malformed) return unexpected(invalid_go_value(value.text, flag));
    constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (error == std::errc::result_out_of_range || number > kMost + (negative ? 1 : 0)) {
      return unexpected(invalid_go_value(value.text, flag, "value out of range"));
    }
    option = static_cast<int64_t>(negative ? 0 - number : number);
    return {};
  };
}

}  // namespace carronade::cli
