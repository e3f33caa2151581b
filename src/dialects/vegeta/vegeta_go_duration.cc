#include "dialects/vegeta/vegeta_go_duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

#include "cli/go_flags.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;

struct Unit {
  std::string_view name;
  int64_t ns;
};
// µ is there twice: the micro sign and the Greek letter.
constexpr std::array<Unit, 8> kUnits{{{"ns", 1},
                                      {"us", kMicrosecond},
                                      {"\u00b5s", kMicrosecond},
                                      {"\u03bcs", kMicrosecond},
                                      {"ms", kMillisecond},
                                      {"s", kSecond},
                                      {"m", kMinute},
                                      {"h", kHour}}};

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

std::string_view take_digits(std::string_view& text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

__extension__ using Wide = __int128;
constexpr Wide kMost = std::numeric_limits<int64_t>::max();

// Digits before and behind the point times the unit; above kMost when it does not fit.
Wide part_ns(std::string_view whole, std::string_view fraction, int64_t unit_ns) {
  Wide total = 0;
  for (const char digit : whole) {
    total = total * 10 + (digit - '0');
    if (total * unit_ns > kMost) return kMost + 1;
  }
  total *= unit_ns;
  // What is below a nanosecond is cut off. 18 digits are below it for every unit.
  Wide parts = 0;
  Wide scale = 1;
  for (const char digit : fraction.substr(0, 18)) {
    parts = parts * 10 + (digit - '0');
    scale *= 10;
  }
  return total + parts * unit_ns / scale;
}

// "1.5", "2" without trailing zeros; `unit` is a power of ten.
std::string decimal(int64_t value, int64_t unit) {
  std::string text = fmt::format("{}", value / unit);
  int64_t rest = value % unit;
  if (rest == 0) return text;
  text += '.';
  while (rest != 0) {
    unit /= 10;
    text += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return text;
}

std::string positive_duration(int64_t ns) {
  if (ns == 0) return "0s";
  if (ns < kMicrosecond) return fmt::format("{}ns", ns);
  if (ns < kMillisecond) return decimal(ns, kMicrosecond) + "\u00b5s";
  if (ns < kSecond) return decimal(ns, kMillisecond) + "ms";
  std::string text;
  if (ns >= kHour) text += fmt::format("{}h", ns / kHour);
  if (ns >= kMinute) text += fmt::format("{}m", ns / kMinute % 60);
  return text + decimal(ns % kMinute, kSecond) + "s";
}

}  // namespace

Expected<int64_t> parse_go_duration(std::string_view text) {
  const std::string quoted = cli::go_quoted(text);
  const auto invalid = [&] { return unexpected("time: invalid duration " + quoted); };
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return 0;
  if (rest.empty()) return invalid();
  Wide total = 0;
  while (!rest.empty()) {
    const std::string_view whole = take_digits(rest);
    std::string_view fraction;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      fraction = take_digits(rest);
    }
    if (whole.empty() && fraction.empty()) return invalid();
    size_t name_size = 0;
    while (name_size < rest.size() && rest[name_size] != '.' && !is_digit(rest[name_size])) {
      ++name_size;
    }
    const std::string_view name = rest.substr(0, name_size);
    rest.remove_prefix(name_size);
    if (name.empty()) return unexpected("time: missing unit in duration " + quoted);
    int64_t unit_ns = 0;
    for (const Unit& unit : kUnits) {
      if (unit.name == name) unit_ns = unit.ns;
    }
    if (unit_ns == 0) {
      return unexpected("time: unknown unit " + cli::go_quoted(name) + " in duration " + quoted);
    }
    total += part_ns(whole, fraction, unit_ns);
    if (total > kMost) return invalid();
  }
  return static_cast<int64_t>(negative ? -total : total);
}

std::string go_duration(int64_t ns) {
  if (ns >= 0) return positive_duration(ns);
  if (ns == std::numeric_limits<int64_t>::min()) ++ns;
  return "-" + positive_duration(-ns);
}

std::string rounded_go_duration(int64_t ns) {
  constexpr std::array<int64_t, 6> kSteps{kHour, kMinute, kSecond, kMillisecond, kMicrosecond, 1};
  for (size_t i = 0; i + 1 < kSteps.size(); ++i) {
    if (ns < kSteps[i]) continue;
    const int64_t unit = kSteps[i + 1];
    const int64_t rest = ns % unit;
    if (rest + rest < unit) return go_duration(ns - rest);
    const int64_t up = unit - rest;
    return go_duration(ns > std::numeric_limits<int64_t>::max() - up ? ns : ns + up);
  }
  return go_duration(ns);
}

}  // namespace carronade::dialects::vegeta
