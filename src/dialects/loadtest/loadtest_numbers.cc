#include "dialects/loadtest/loadtest_numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr double kMillisecond = 1e6;

}  // namespace

std::string plain_number(double number) {
  if (std::isfinite(number) && std::fabs(number) < 1e21 && number == std::trunc(number)) {
    return fmt::format("{:.0f}", number + 0.0);
  }
  return fmt::format("{}", number);
}

std::optional<double> read_number(std::string_view text) {
  text = base::trim(text);
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = fault == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string rounded_number(double number, int digits) {
  const double scale = std::pow(10, digits);
  return plain_number(std::floor(number * scale + 0.5) / scale);
}

std::string latency_text(int64_t ns) {
  const double ms = static_cast<double>(ns) / kMillisecond;
  return rounded_number(ms, ms >= 10 ? 1 : ms >= 1 ? 2 : 3);
}

std::string mean_text(double ns) {
  const double ms = ns / kMillisecond;
  return rounded_number(ms, ms >= 1 ? 1 : 3);
}

}  // namespace carronade::dialects::loadtest
