#include "cli/flags.h"

#include <cctype>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace carronade::cli {
namespace {

bool is_negative_number(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  return std::isdigit(static_cast<unsigned char>(word[1])) != 0 || word[1] == '.';
}

// A lone dash is a value (standard input), and so is a negative number: no flag is a digit.
bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !is_negative_number(word);
}

std::optional<bool> parse_truth(std::string_view text) {
  for (const char* yes : {"true", "1", "yes", "on"}) {
    if (base::iequals(text, yes)) return true;
  }
  for (const char* no : {"false", "0", "no", "off"}) {
    if (base::iequals(text, no)) return false;
  }
  return std::nullopt;
}

int bracket_balance(std::string_view word) {
  return (word.starts_with('[') ? 1 : 0) - (word.ends_with(']') ? 1 : 0);
}

// {"[", "-c", "1]"} to {"-c", "1"}; a group written as one word is cut at its spaces.
void strip_brackets(std::vector<std::string>& words) {
  words.front().erase(0, 1);
  if (words.back().ends_with(']')) words.back().pop_back();
  if (words.size() == 1) {
    words = split_words(words.front());
    return;
  }
  if (words.back().empty()) words.pop_back();
  if (!words.empty() && words.front().empty()) words.erase(words.begin());
}

class Parser {
 public:
  Parser(const FlagTable& table, std::span<const std::string> args) : table_(table), args_(args) {}

  Expected<Operands> parse() {
    while (at_ < args_.size()) {
      const std::string& word = args_[at_++];
      Expected<void> done;
      if (word == "--") {
        operands_.after_dashes.assign(args_.begin() + static_cast<std::ptrdiff_t>(at_),
                                      args_.end());
        break;
      }
      if (word.starts_with("--")) {
        done = long_option(std::string_view(word).substr(2));
      } else if (word.size() > 1 && word[0] == '-') {
        done = letters(std::string_view(word).substr(1));
      } else {
        operands_.words.push_back(word);
      }
      if (!done) return unexpected(done.error());
    }
    return std::move(operands_);
  }

 private:
  Expected<void> long_option(std::string_view body) {
    const size_t equals = body.find('=');
    const std::string_view name = body.substr(0, equals);
    std::optional<std::string_view> value;
    if (equals != std::string_view::npos) value = body.substr(equals + 1);
    const std::string written = "--" + std::string(name);

    if (const Flag* flag = find_long(table_, name)) return apply(*flag, written, value);
    if (name.starts_with("no-")) {
      const Flag* flag = find_long(table_, name.substr(3));
      if (flag && flag->kind == ArgKind::kSwitch && !value) return turn(*flag, written, false);
      if (flag) {
        return unexpected(written + ": only a switch without a value can be turned off so");
      }
    }
    return unexpected(unknown(written, name));
  }

  Expected<void> letters(std::string_view body) {
    // `-latency` is far more likely a long name with one dash than the letters l, a, t …
    const std::string_view whole = body.substr(0, body.find('='));
    if (whole.size() > 1 && find_long(table_, whole)) {
      return unexpected("unknown option -" + std::string(whole) + "; did you mean --" +
                        std::string(whole) + "?");
    }
    for (size_t i = 0; i < body.size(); ++i) {
      const std::string written = std::string("-") + body[i];
      const Flag* flag = find_letter(table_, body[i]);
      if (!flag) {
        const std::string in = body.size() > 1 ? " (in -" + std::string(body) + ")" : "";
        return unexpected("unknown option " + written + in + other_case(body[i]));
      }
      std::string_view rest = body.substr(i + 1);
      const bool assigned = rest.starts_with('=');
      if (assigned) rest.remove_prefix(1);
      const bool takes_rest = assigned || (flag->kind != ArgKind::kSwitch && !rest.empty());
      Expected<void> done = takes_rest
                                ? apply(*flag, written, rest)
                                : apply(*flag, written, std::nullopt, /*last_letter=*/rest.empty());
      if (!done || takes_rest) return done;
    }
    return {};
  }

  // `last_letter` is false inside a bundle, where the next word belongs to another letter.
  Expected<void> apply(const Flag& flag, const std::string& written,
                       std::optional<std::string_view> value, bool last_letter = true) {
    if (!flag.supported) return unexpected(written + " is not supported yet");
    if (flag.kind == ArgKind::kSwitch) return apply_switch(flag, written, value, last_letter);
    if (flag.kind == ArgKind::kOptional) {
      return call(flag, written, FlagValue{.text = std::string(value.value_or(""))});
    }
    if (!value) {
      if (at_ >= args_.size()) return unexpected(written + " needs a value" + hint(flag));
      if (looks_like_option(args_[at_])) {
        return unexpected(written + " needs a value" + hint(flag) + ", found " + args_[at_] +
                          "; if that is the value, write " + written + "=" + args_[at_]);
      }
      value = args_[at_++];
    }
    if (flag.kind == ArgKind::kWords) return apply_words(flag, written, *value);
    return call(flag, written, FlagValue{.text = std::string(*value)});
  }

  Expected<void> apply_switch(const Flag& flag, const std::string& written,
                              std::optional<std::string_view> value, bool last_letter) {
    if (value) {
      const std::optional<bool> truth = parse_truth(*value);
      if (truth) return turn(flag, written, *truth);
      return unexpected(written + " is a switch: \"" + std::string(*value) +
                        "\" is neither true nor false");
    }
    if (last_letter && at_ < args_.size() && (args_[at_] == "true" || args_[at_] == "false")) {
      return turn(flag, written, args_[at_++] == "true");
    }
    return turn(flag, written, true);
  }

  Expected<void> apply_words(const Flag& flag, const std::string& written, std::string_view first) {
    FlagValue value;
    value.grouped = first.starts_with('[');
    value.words.emplace_back(first);
    if (value.grouped) {
      int depth = bracket_balance(first);
      while (depth > 0) {
        if (at_ >= args_.size()) return unexpected(written + ": the group has no closing ]");
        depth += bracket_balance(args_[at_]);
        value.words.push_back(args_[at_++]);
      }
      strip_brackets(value.words);
      if (value.words.empty()) return unexpected(written + ": the group is empty");
    }
    for (const std::string& word : value.words) {
      value.text += (value.text.empty() ? "" : " ") + word;
    }
    return call(flag, written, value);
  }

  Expected<void> turn(const Flag& flag, const std::string& written, bool on) {
    if (!flag.supported) return unexpected(written + " is not supported yet");
    return call(flag, written, FlagValue{.on = on});
  }

  static Expected<void> call(const Flag& flag, const std::string& written, const FlagValue& value) {
    Expected<void> done = flag.set(value);
    if (!done) return unexpected(written + ": " + done.error().text);
    return done;
  }

  static std::string hint(const Flag& flag) {
    return flag.hint.empty() ? "" : " (" + flag.hint + ")";
  }

  std::string unknown(const std::string& written, std::string_view name) const {
    std::vector<std::string> names;
    for (const Flag& flag : table_) {
      const bool hidden = flag.section.empty() && flag.supported;
      if (hidden) continue;
      if (!flag.name.empty()) names.push_back(flag.name);
      names.insert(names.end(), flag.aliases.begin(), flag.aliases.end());
      if (flag.kind == ArgKind::kSwitch && !flag.name.empty()) names.push_back("no-" + flag.name);
    }
    const std::string near = base::nearest(name, names);
    return "unknown option " + written + (near.empty() ? "" : "; did you mean --" + near + "?");
  }

  std::string other_case(char letter) const {
    const auto code = static_cast<unsigned char>(letter);
    const int other = std::islower(code) ? std::toupper(code) : std::tolower(code);
    const Flag* flag = find_letter(table_, static_cast<char>(other));
    if (other == code || !flag || !flag->supported) return "";
    return std::string("; did you mean -") + flag->letter + "?";
  }

  const FlagTable& table_;
  std::span<const std::string> args_;
  size_t at_ = 0;
  Operands operands_;
};

}  // namespace

Expected<Operands> parse_minimist(const FlagTable& table, std::span<const std::string> args) {
  return Parser(table, args).parse();
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(" \t\n", at)) != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace carronade::cli
