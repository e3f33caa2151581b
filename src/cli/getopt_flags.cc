#include "cli/getopt_flags.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace carronade::cli {
namespace {

class Parser {
 public:
  Parser(const FlagTable& table, std::span<const std::string> args, const GetoptRules& rules)
      : table_(table), args_(args), rules_(rules) {}

  Expected<Operands> parse() {
    while (at_ < args_.size()) {
      const std::string& word = args_[at_];
      const bool option = word.size() > 1 && word[0] == '-';
      if (!option && !rules_.permute) break;
      ++at_;
      if (!option) {
        operands_.words.push_back(word);
        continue;
      }
      const bool dashes = word.starts_with("--");
      if (word == "--" || (dashes && !rules_.long_options)) {
        operands_.after_dashes.assign(rest().begin(), rest().end());
        return std::move(operands_);
      }
      const std::string_view body = std::string_view(word).substr(dashes ? 2 : 1);
      const Expected<void> done = dashes ? long_option(body) : letters(body);
      if (!done) return unexpected(done.error());
    }
    operands_.words.insert(operands_.words.end(), rest().begin(), rest().end());
    return std::move(operands_);
  }

 private:
  using Match = std::pair<std::string_view, const Flag*>;

  std::span<const std::string> rest() const { return args_.subspan(at_); }

  Expected<void> long_option(std::string_view body) {
    const size_t equals = body.find('=');
    const std::string_view prefix = body.substr(0, equals);
    const std::vector<Match> matches = matching(prefix);
    if (matches.empty()) return complain("unrecognized option '--" + std::string(body) + "'");
    if (is_ambiguous(matches)) {
      std::string text = "option '--" + std::string(body) + "' is ambiguous; possibilities:";
      for (const auto& [name, flag] : matches) text += " '--" + std::string(name) + "'";
      return complain(text);
    }
    const auto& [name, flag] = matches.front();
    const std::string written = "option '--" + std::string(name) + "'";
    if (equals != std::string_view::npos) {
      if (flag->kind == ArgKind::kSwitch) return complain(written + " doesn't allow an argument");
      return call(*flag, body.substr(equals + 1));
    }
    if (!needs_value(*flag)) return call(*flag, "");
    if (at_ >= args_.size()) return complain(written + " requires an argument");
    return call(*flag, args_[at_++]);
  }

  // The names that begin with `prefix`; one that equals it is the only one.
  std::vector<Match> matching(std::string_view prefix) const {
    std::vector<Match> matches;
    for (const Flag& flag : table_) {
      const auto look_at = [&](std::string_view name) {
        if (!name.empty() && name.starts_with(prefix)) matches.emplace_back(name, &flag);
        return !name.empty() && name == prefix;
      };
      bool exact = look_at(flag.name);
      for (const std::string& alias : flag.aliases) exact = exact || look_at(alias);
      if (exact) return {matches.back()};
    }
    return matches;
  }

  // Several names of one flag do not compete.
  static bool is_ambiguous(const std::vector<Match>& matches) {
    for (const auto& [name, flag] : matches) {
      if (flag != matches.front().second) return true;
    }
    return false;
  }

  Expected<void> letters(std::string_view body) {
    for (size_t i = 0; i < body.size(); ++i) {
      const Flag* flag = body[i] == ':' ? nullptr : find_letter(table_, body[i]);
      if (flag == nullptr) {
        Expected<void> told =
            complain(rules_.long_options ? std::string("invalid option -- '") + body[i] + "'"
                                         : std::string("illegal option -- ") + body[i]);
        if (!told) return told;
        continue;
      }
      const std::string_view glued = body.substr(i + 1);
      if (flag->kind == ArgKind::kSwitch) {
        if (Expected<void> done = call(*flag, ""); !done) return done;
        continue;
      }
      if (!glued.empty() || !needs_value(*flag)) return call(*flag, glued);
      if (at_ < args_.size()) return call(*flag, args_[at_++]);
      return complain(rules_.long_options
                          ? std::string("option requires an argument -- '") + body[i] + "'"
                          : std::string("option requires an argument -- ") + body[i]);
    }
    return {};
  }

  static bool needs_value(const Flag& flag) {
    return flag.kind != ArgKind::kSwitch && flag.kind != ArgKind::kOptional;
  }

  static Expected<void> call(const Flag& flag, std::string_view text) {
    FlagValue value{.text = std::string(text)};
    if (flag.kind == ArgKind::kWords) value.words.push_back(value.text);
    return flag.set(value);
  }

  Expected<void> complain(const std::string& text) const {
    std::string message = rules_.program + ": " + text;
    if (!rules_.on_unknown) return unexpected(std::move(message));
    rules_.on_unknown(message);
    return {};
  }

  const FlagTable& table_;
  std::span<const std::string> args_;
  const GetoptRules& rules_;
  size_t at_ = 0;
  Operands operands_;
};

}  // namespace

Expected<Operands> parse_getopt(const FlagTable& table, std::span<const std::string> args,
                                const GetoptRules& rules) {
  return Parser(table, args, rules).parse();
}

}  // namespace carronade::cli
