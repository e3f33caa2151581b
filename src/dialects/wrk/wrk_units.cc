#include "dialects/wrk/wrk_units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <span>

namespace carronade::dialects::wrk {
namespace {

struct Step {
  double size;  // of the next unit, in this one
  std::string_view next;
};

constexpr std::array<Step, 3> kTimes{{{1000, "ms"}, {1000, "s"}, {60, "m"}}};
constexpr std::array<Step, 1> kSeconds{{{60, "m"}}};
constexpr std::array<Step, 4> kCounts{{{1000, "k"}, {1000, "M"}, {1000, "G"}, {1000, "T"}}};
constexpr std::array<Step, 4> kBytes{{{1024, "K"}, {1024, "M"}, {1024, "G"}, {1024, "T"}}};

struct Scaled {
  double value;
  std::string_view unit;
};

Scaled scale(double value, std::string_view unit, std::span<const Step> steps) {
  constexpr double kMovesUpAt = 0.85;
  for (const Step& step : steps) {
    if (value < step.size * kMovesUpAt) break;
    value /= step.size;
    unit = step.next;
  }
  return {value, unit};
}

constexpr size_t kLongestUnit = 2;

std::string in_width(const Scaled& scaled, int width) {
  if (width == 0) return fmt::format("{:.2f}{}", scaled.value, scaled.unit);
  const auto unit_width = static_cast<int>(kLongestUnit);
  return fmt::format("{:{}.2f}{:<{}}", scaled.value, width - unit_width, scaled.unit, unit_width);
}

// A whole number, and the unit behind it in lower case.
bool split_number(std::string_view text, uint64_t& number, char& unit) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || end - stop > 1) return false;
  unit = stop == end ? '\0' : static_cast<char>(*stop | 0x20);
  return true;
}

std::optional<uint64_t> times(uint64_t number, uint64_t factor) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(number, factor, &product)) return std::nullopt;
  return product;
}

}  // namespace

std::optional<uint64_t> read_number(std::string_view text) {
  uint64_t number = 0;
  char unit = 0;
  if (!split_number(text, number, unit)) return std::nullopt;
  constexpr std::string_view kUnits = "kmgtp";
  if (unit == '\0') return number;
  const size_t power = kUnits.find(unit);
  if (power == std::string_view::npos) return std::nullopt;
  uint64_t factor = 1000;
  for (size_t i = 0; i < power; ++i) factor *= 1000;
  return times(number, factor);
}

std::optional<uint64_t> read_seconds(std::string_view text) {
  uint64_t number = 0;
  char unit = 0;
  if (!split_number(text, number, unit)) return std::nullopt;
  switch (unit) {
    case '\0':
    case 's':
      return number;
    case 'm':
      return times(number, 60);
    case 'h':
      return times(number, 3600);
    default:
      return std::nullopt;
  }
}

std::string time_text(double us, int width) { return in_width(scale(us, "us", kTimes), width); }

std::string whole_seconds_text(uint64_t seconds) {
  const Scaled scaled = scale(static_cast<double>(seconds), "s", kSeconds);
  return fmt::format("{:.0f}{}", scaled.value, scaled.unit);
}

std::string count_text(double count, int width) {
  return in_width(scale(count, "", kCounts), width);
}

std::string bytes_text(double bytes, int width) {
  return in_width(scale(bytes, "", kBytes), width);
}

}  // namespace carronade::dialects::wrk
