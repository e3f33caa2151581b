#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "base/limits.h"
#include "base/text.h"

namespace carronade::base {

namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kMinute = 60 * kSecond;
constexpr uint64_t kHour = 60 * kMinute;
constexpr uint64_t kDay = 24 * kHour;
constexpr uint64_t kWeek = 7 * kDay;

constexpr Unit kDurationUnits[] = {
    {"ns", 1},           {"nsec", 1},           {"nanosecond", 1},
    {"us", 1000},        {"\u00b5s", 1000},  // micro sign
    {"\u03bcs", 1000},                       // Greek mu
    {"usec", 1000},      {"microsecond", 1000}, {"ms", 1'000'000},
    {"msec", 1'000'000}, {"milli", 1'000'000},  {"millisecond", 1'000'000},
    {"s", kSecond},      {"sec", kSecond},      {"second", kSecond},
    {"m", kMinute},      {"min", kMinute},      {"minute", kMinute},
    {"h", kHour},        {"hr", kHour},         {"hrs", kHour},
    {"hour", kHour},     {"d", kDay},           {"day", kDay},
    {"w", kWeek},        {"wk", kWeek},         {"wks", kWeek},
    {"week", kWeek},
};

constexpr Unit kCountUnits[] = {{"", 1}, {"k", 1000}, {"m", 1'000'000}, {"g", 1'000'000'000}};

constexpr Unit kByteUnits[] = {
    {"", 1},
    {"b", 1},
    {"byte", 1},
    {"k", 1000},
    {"kb", 1000},
    {"kib", 1ULL << 10},
    {"m", 1'000'000},
    {"mb", 1'000'000},
    {"mib", 1ULL << 20},
    {"g", 1'000'000'000},
    {"gb", 1'000'000'000},
    {"gib", 1ULL << 30},
};

std::optional<uint64_t> factor_of(std::string_view name, std::span<const Unit> units) {
  const std::string lower = to_lower(name);
  std::string_view singular = lower;
  // "secs", "hours", "bytes"; the shorter plurals are rows of their own.
  if (singular.size() > 3 && singular.back() == 's') singular.remove_suffix(1);
  for (const Unit& unit : units) {
    if (unit.name == lower || unit.name == singular) return unit.factor;
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// digits × 10^exponent, kept decimal so that "1.1s" is exact.
struct Decimal {
  uint64_t digits = 0;
  int exponent = 0;
  bool cut = false;  // digits that did not fit were not 0
};

// The exponent after an `e` ("e6", "e-3"), removed from `text`; 0 when there is none.
int take_exponent(std::string_view& text) {
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
  size_t i = 1;
  const bool negative = i < text.size() && text[i] == '-';
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  if (i >= text.size() || !is_digit(text[i])) return 0;
  int exponent = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    exponent = std::min(exponent * 10 + (text[i] - '0'), 1000);
  }
  text.remove_prefix(i);
  return negative ? -exponent : exponent;
}

// "12", "1.5", ".5", "1e6" from the front of `text`.
std::optional<Decimal> take_number(std::string_view& text) {
  constexpr auto kMax = std::numeric_limits<uint64_t>::max();
  Decimal number;
  bool any = false;
  bool point = false;
  bool full = false;
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(text[i])) break;
    any = true;
    const auto digit = static_cast<uint64_t>(text[i] - '0');
    full = full || number.digits > (kMax - digit) / 10;
    if (!full) {
      number.digits = number.digits * 10 + digit;
      number.exponent -= point ? 1 : 0;
    } else {
      number.cut |= digit != 0;
      number.exponent += point ? 0 : 1;
    }
  }
  if (!any) return std::nullopt;
  text.remove_prefix(i);
  number.exponent += take_exponent(text);
  return number;
}

struct Scaled {
  uint64_t value = 0;  // rounded to the nearest
  bool whole = true;
  bool fits = true;
};

Scaled scale(const Decimal& number, uint64_t factor) {
  if (number.digits == 0) return {0, !number.cut, true};
  // 64 bits by a factor below 2^53 leave room for the digit that tells that it is too much.
  Wide product = static_cast<Wide>(number.digits) * factor;
  constexpr auto kMax = std::numeric_limits<uint64_t>::max();
  for (int i = 0; i < number.exponent; ++i) {
    product *= 10;
    if (product > kMax) return {0, true, false};
  }
  bool whole = !number.cut;
  bool round_up = false;
  for (int i = number.exponent; i < 0 && (product != 0 || round_up); ++i) {
    const auto digit = static_cast<int>(product % 10);
    product /= 10;
    round_up = digit >= 5;
    whole = whole && digit == 0;
  }
  product += round_up ? 1 : 0;
  if (product > kMax) return {0, whole, false};
  return {static_cast<uint64_t>(product), whole, true};
}

Expected<uint64_t> parse_whole(std::string_view text, std::span<const Unit> units,
                               std::string_view what, std::string_view examples) {
  std::string_view rest = trim(text);
  const std::optional<Decimal> number = take_number(rest);
  const std::optional<uint64_t> factor = number ? factor_of(trim(rest), units) : std::nullopt;
  if (!factor) {
    return unexpected(
        fmt::format("\"{}\" is not a {}: write for example {}", printable(text), what, examples));
  }
  const Scaled scaled = scale(*number, *factor);
  if (!scaled.fits) return unexpected(fmt::format("\"{}\" is too large", printable(text)));
  if (!scaled.whole) {
    return unexpected(fmt::format("\"{}\" is not a whole number: write for example {}",
                                  printable(text), examples));
  }
  return scaled.value;
}

// "s", "m", "10s", "1m30s": the time that a rate is divided by, in ns.
std::optional<int64_t> rate_time(std::string_view text) {
  text = trim(text);
  const bool counted = !text.empty() && (is_digit(text[0]) || text[0] == '.');
  const std::string one = counted ? std::string(text) : "1" + std::string(text);
  // A time without a unit ("5/2") is a fraction, and that says nothing of time.
  if (is_digit(one.back()) || one.back() == '.') return std::nullopt;
  const Expected<int64_t> time_ns = parse_duration(one, 1);
  if (!time_ns || *time_ns <= 0) return std::nullopt;
  return *time_ns;
}

// `value` with 3 significant digits, or all digits of its integer part. value ≥ 0.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

Expected<int64_t> parse_duration(std::string_view text, int64_t bare_unit_ns) {
  constexpr std::string_view kExamples = "250us, 20ms, 1.5s, 1m30s or 1h";
  const auto wrong = [&] {
    return unexpected(
        fmt::format("\"{}\" is not a duration: write for example {}", printable(text), kExamples));
  };
  std::string_view rest = trim(text);
  if (rest.empty()) return wrong();
  uint64_t total = 0;
  for (bool first = true; !rest.empty(); first = false) {
    const std::optional<Decimal> number = take_number(rest);
    if (!number) return wrong();
    rest = trim(rest);
    const size_t length = std::min(rest.find_first_of("0123456789. \t"), rest.size());
    std::optional<uint64_t> factor;
    if (length > 0) {
      factor = factor_of(rest.substr(0, length), kDurationUnits);
    } else if (first && rest.empty()) {
      factor = static_cast<uint64_t>(bare_unit_ns);
    }
    if (!factor) return wrong();
    rest = trim(rest.substr(length));
    const Scaled part = scale(*number, *factor);
    constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (!part.fits || part.value > kMax - total) {
      return unexpected(fmt::format("\"{}\" is too long a time", printable(text)));
    }
    total += part.value;
  }
  return static_cast<int64_t>(total);
}

Expected<uint64_t> parse_count(std::string_view text) {
  return parse_whole(text, kCountUnits, "number", "1000, 1k, 2.5M or 1e6");
}

Expected<uint64_t> parse_bytes(std::string_view text) {
  return parse_whole(text, kByteUnits, "number of bytes", "4096, 64k, 1MiB or 2.5MB");
}

Expected<double> parse_rate(std::string_view text) {
  constexpr double kMax = kMostPerSecond;
  std::string_view rest = trim(text);
  const char* const begin = rest.data();
  const bool numeric = take_number(rest).has_value();
  const size_t slash = std::min(rest.find('/'), rest.size());
  const auto factor = factor_of(trim(rest.substr(0, slash)), kCountUnits);
  std::optional<int64_t> time_ns = kSecond;
  if (slash < rest.size()) time_ns = rate_time(rest.substr(slash + 1));
  if (!numeric || !factor || !time_ns) {
    return unexpected(fmt::format(
        "\"{}\" is not a rate: write for example 200, 0.5/s, 30/m, 1/10s or 1k", printable(text)));
  }
  double number = 0;
  const auto [end, error] = std::from_chars(begin, rest.data(), number);
  const double rate = number * static_cast<double>(*factor) * 1e9 / static_cast<double>(*time_ns);
  if (error != std::errc{} || end != rest.data() || rate > kMax) {
    return unexpected(
        fmt::format("\"{}\" is out of range: a rate is 0 to 10,000,000/s", printable(text)));
  }
  return rate;
}

std::string format_duration(double ns) {
  if (ns < 0) return fmt::format("-{}", format_duration(-ns));
  if (ns == 0) return "0 ns";
  if (ns < 0.005) return "<0.01 ns";
  // 999.5 is the first value that three digits would show as 1000.
  if (ns < 999.5) {
    return (ns == std::floor(ns) ? fmt::format("{:.0f}", ns) : three_digits(ns)) + " ns";
  }
  if (ns < 999.5e3) return three_digits(ns / 1e3) + " µs";
  if (ns < 999.5e6) return three_digits(ns / 1e6) + " ms";
  return three_digits(ns / 1e9) + " s";
}

std::string format_span(int64_t ns) {
  if (ns == 0) return "0s";
  std::string result = ns < 0 ? "-" : "";
  uint64_t rest = ns < 0 ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  const auto exact = [](uint64_t value, uint64_t unit, int decimals) {
    return without_trailing_zeros(fmt::format("{}.{:0{}}", value / unit, value % unit, decimals));
  };
  if (rest < 1000) return result + fmt::format("{}ns", rest);
  if (rest < 1'000'000) return result + exact(rest, 1000, 3) + "µs";
  if (rest < kSecond) return result + exact(rest, 1'000'000, 6) + "ms";
  constexpr Unit kLarge[] = {{"d", kDay}, {"h", kHour}, {"m", kMinute}};
  for (const Unit& unit : kLarge) {
    if (rest >= unit.factor) result += fmt::format("{}{}", rest / unit.factor, unit.name);
    rest %= unit.factor;
  }
  return rest == 0 ? result : result + exact(rest, kSecond, 9) + "s";
}

std::string format_bytes(double bytes) {
  constexpr std::string_view kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
  if (bytes < 0) return fmt::format("-{}", format_bytes(-bytes));
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", without_trailing_zeros(three_digits(bytes)), kUnits[unit]);
}

std::string format_thousands(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, 1, ',');
  }
  return text;
}

}  // namespace carronade::base
