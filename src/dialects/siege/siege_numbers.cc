#include "dialects/siege/siege_numbers.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"

namespace carronade::dialects::siege {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr double kYearS = 366.0 * 86'400;

Expected<int64_t> not_a_number(std::string_view text, std::string_view example) {
  return unexpected(
      fmt::format("\"{}\" is not a number such as {}", base::printable(text), example));
}

}  // namespace

Expected<int64_t> parse_number(std::string_view text) {
  text = base::trim(text);
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return not_a_number(text, "25");
  return number;
}

Expected<double> parse_seconds(std::string_view text) {
  text = base::trim(text);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  // The comparison is false for "nan" too.
  if (error == std::errc() && stopped == end && number >= 0 && number <= kYearS) return number;
  return unexpected(not_a_number(text, "0.5").error());
}

Expected<int64_t> parse_time(std::string_view text) {
  text = base::trim(text);
  const std::string_view whole = text;
  int64_t unit_s = 60;
  if (!text.empty()) {
    switch (text.back()) {
      case 's':
      case 'S':
        unit_s = 1;
        break;
      case 'h':
      case 'H':
        unit_s = 3600;
        break;
      default:
        break;
    }
    constexpr std::string_view kUnits = "sSmMhH";
    if (kUnits.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  }
  const Expected<int64_t> number = parse_number(text);
  constexpr int64_t kMost = 1'000'000'000;  // 31 years of seconds
  if (!number || *number < 0 || *number > kMost / unit_s) {
    return unexpected(
        fmt::format("\"{}\" is not a time such as 30S, 5M or 1H", base::printable(whole)));
  }
  return *number * unit_s * kSecondNs;
}

Expected<void> parse_reps(std::string_view text, SiegeSettings& settings) {
  settings.once = base::iequals(base::trim(text), "once");
  settings.reps.reset();
  if (settings.once) return {};
  const Expected<int64_t> number = parse_number(text);
  if (!number || *number < 0) {
    return unexpected(fmt::format("\"{}\" is neither a number of repetitions nor \"once\"",
                                  base::printable(text)));
  }
  settings.reps = *number;
  return {};
}

}  // namespace carronade::dialects::siege
