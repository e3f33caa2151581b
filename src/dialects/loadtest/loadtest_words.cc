#include "dialects/loadtest/loadtest_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr int kExitOption = 255;
constexpr std::string_view kTryHelp = "\nTry \"--help\" for more information.\n";

bool is_number_like(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789-.,") == std::string_view::npos;
}

bool is_option(std::string_view word) { return word.starts_with('-') && !is_number_like(word); }

LoadtestMisuse wrong_option(const std::string& text) {
  return {.text = text + std::string(kTryHelp), .on_stdout = true, .exit_code = kExitOption};
}

// The long name that was meant, "" when none is near.
std::string nearest_name(const cli::FlagTable& table, std::string_view word) {
  constexpr int kFarthest = 2;
  std::string best;
  int least = kFarthest + 1;
  for (const cli::Flag& flag : table) {
    const int distance = base::edit_distance(flag.name, word);
    if (distance >= least || distance >= static_cast<int>(word.size())) continue;
    least = distance;
    best = flag.name;
  }
  return best;
}

LoadtestMisuse unknown_option(std::string_view dashes, std::string_view name,
                              const std::string& meant) {
  std::string text = fmt::format("Unknown option \"{}{}\".", dashes, base::printable(name));
  if (!meant.empty()) text += fmt::format(" Did you mean \"--{}\"?", meant);
  return wrong_option(text);
}

class WordParser {
 public:
  WordParser(const cli::FlagTable& table, std::span<const std::string> args,
             std::vector<std::string>& operands)
      : table_(table), args_(args), operands_(operands) {}

  LoadtestMisuse parse() {
    for (next_ = 0; next_ < args_.size() && misuse_.text.empty();) {
      const std::string& word = args_[next_++];
      if (word == "-" || word == "--") {
        misuse_ = wrong_option(fmt::format("Wrong argument provided: \"{}\".", word));
      } else if (!is_option(word)) {
        operands_.push_back(word);
      } else if (word.starts_with("--")) {
        take_long(std::string_view(word).substr(2));
      } else {
        take_letters(std::string_view(word).substr(1));
      }
    }
    return misuse_;
  }

 private:
  void take_long(std::string_view word) {
    const size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const cli::Flag* flag = cli::find_long(table_, name);
    if (flag == nullptr) {
      misuse_ = unknown_option("--", name, nearest_name(table_, name));
      return;
    }
    std::optional<std::string_view> glued;
    if (equals != std::string_view::npos) glued = word.substr(equals + 1);
    take(*flag, glued);
  }

  // One letter or several; a letter with a value ends the word.
  void take_letters(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    // -rps is a slip for --rps, and no bundle of letters.
    if (name.size() > 1 && cli::find_long(table_, name) != nullptr) {
      misuse_ = unknown_option("-", name, std::string(name));
      return;
    }
    while (!word.empty() && misuse_.text.empty()) {
      const char letter = word.front();
      word.remove_prefix(1);
      const cli::Flag* flag = cli::find_letter(table_, letter);
      if (flag == nullptr) {
        misuse_ = wrong_option(
            fmt::format("Unknown option: \"-{}\".", base::printable(std::string(1, letter))));
        return;
      }
      std::optional<std::string_view> glued;
      const bool takes_rest = flag->kind == cli::ArgKind::kValue || word.starts_with('=');
      if (takes_rest && !word.empty()) {
        glued = word.substr(word.starts_with('=') ? 1 : 0);
        word = "";
      }
      take(*flag, glued);
    }
  }

  void take(const cli::Flag& flag, std::optional<std::string_view> glued) {
    cli::FlagValue value;
    if (flag.kind == cli::ArgKind::kValue) {
      if (!glued && next_ < args_.size() && !is_option(args_[next_])) glued = args_[next_++];
      if (!glued) {
        misuse_ = wrong_option(fmt::format(
            "Option \"--{0}\" needs a value, --{0}=VALUE where it begins with a dash.", flag.name));
        return;
      }
      value.text = *glued;
    } else if (glued) {
      // stdio takes it for an operand, and the person gets to read of too many of them.
      if (*glued != "true" && *glued != "false") {
        misuse_ = wrong_option(fmt::format("Option \"--{}\" takes no value.", flag.name));
        return;
      }
      value.on = *glued == "true";
    }
    const Expected<void> set = flag.set(value);
    if (set) return;
    misuse_ = {.text = fmt::format("loadtest: --{}: {}\n", flag.name, set.error().text),
               .exit_code = 1};
  }

  const cli::FlagTable& table_;
  const std::span<const std::string> args_;
  std::vector<std::string>& operands_;
  size_t next_ = 0;
  LoadtestMisuse misuse_;
};

}  // namespace

LoadtestMisuse parse_loadtest_words(const cli::FlagTable& table, std::span<const std::string> args,
                                    std::vector<std::string>& operands) {
  if (std::find(args.begin(), args.end(), "--help") != args.end()) {
    (void)cli::find_long(table, "help")->set({});
    return {};
  }
  return WordParser(table, args, operands).parse();
}

}  // namespace carronade::dialects::loadtest
