#include "server/service_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "base/units.h"

namespace carronade::server {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
// A generator with the same seed draws its arrivals from mix(seed, k): with the very same numbers
// service times would follow the gaps, and the queue would not be the one that theory knows.
constexpr uint64_t kServiceStream = 0x5e7271ce;
constexpr uint64_t kAngleStream = 0xa261e;

double standard_normal(uint64_t stream, uint64_t k) {
  const double radius = std::sqrt(-2 * std::log(base::positive_unit_from(base::mix(stream, k))));
  const double turn = base::positive_unit_from(base::mix(base::mix(stream, kAngleStream), k));
  return radius * std::cos(2 * std::numbers::pi * turn);
}

int64_t rounded(double ns) {
  return std::llround(std::min(ns, static_cast<double>(ServiceLaw::kTimeNsMax)));
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Expected<int64_t> time_in(std::string_view text) {
  text = base::trim(text);
  if (text.empty()) return unexpected(std::string("a time is missing"));
  const auto time = base::parse_duration(text, kMillisecond);
  if (!time) return unexpected(time.error());
  if (*time < 0 || *time > ServiceLaw::kTimeNsMax) {
    return unexpected(std::string("a time must be 0 to 1h"));
  }
  return *time;
}

Expected<ServiceLaw> parse_lognormal(std::string_view rest) {
  const size_t space = rest.find_last_of(" \t");
  if (space == std::string_view::npos) return unexpected(std::string("the sigma is missing"));
  const auto median = time_in(rest.substr(0, space));
  if (!median) return unexpected(median.error());
  const auto sigma = number(rest.substr(space + 1));
  if (!sigma || !(*sigma >= 0 && *sigma <= ServiceLaw::kSigmaMax)) {
    return unexpected(fmt::format("sigma must be 0 to {}", ServiceLaw::kSigmaMax));
  }
  return ServiceLaw{.kind = ServiceLaw::Kind::kLognormal, .time_ns = *median, .sigma = *sigma};
}

Expected<std::pair<double, int64_t>> parse_mode(std::string_view text) {
  const size_t sign = text.find('%');
  if (sign == std::string_view::npos) return unexpected(std::string("a share has no '%'"));
  const auto percent = number(base::trim(text.substr(0, sign)));
  if (!percent || !(*percent >= 0 && *percent <= 100)) {
    return unexpected(std::string("a share must be 0% to 100%"));
  }
  const auto time = time_in(text.substr(sign + 1));
  if (!time) return unexpected(time.error());
  return std::pair(*percent, *time);
}

Expected<ServiceLaw> parse_bimodal(std::string_view rest) {
  const std::vector<std::string_view> modes = base::split(rest, ',');
  if (modes.size() != 2) return unexpected(std::string("two shares are wanted"));
  const auto first = parse_mode(modes[0]);
  if (!first) return unexpected(first.error());
  const auto second = parse_mode(modes[1]);
  if (!second) return unexpected(second.error());
  if (std::abs(first->first + second->first - 100) > 1e-9) {
    return unexpected(std::string("the shares do not add up to 100%"));
  }
  return ServiceLaw{.kind = ServiceLaw::Kind::kBimodal,
                    .time_ns = first->second,
                    .percent = first->first,
                    .other_ns = second->second};
}

Expected<ServiceLaw> parse_law(std::string_view name, std::string_view rest) {
  if (name == "lognormal") return parse_lognormal(rest);
  if (name == "bimodal") return parse_bimodal(rest);
  if (name != "fixed" && name != "exp") return unexpected(std::string("no such law"));
  const auto time = time_in(rest);
  if (!time) return unexpected(time.error());
  const auto kind = name == "exp" ? ServiceLaw::Kind::kExponential : ServiceLaw::Kind::kFixed;
  return ServiceLaw{.kind = kind, .time_ns = *time};
}

}  // namespace

Expected<ServiceLaw> parse_service(std::string_view text) {
  const std::string_view trimmed = base::trim(text);
  const size_t space = trimmed.find_first_of(" \t");
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view() : base::trim(trimmed.substr(space));
  auto law = parse_law(trimmed.substr(0, space), rest);
  std::string reason = law ? "" : law.error().text;
  if (law && law->is_drawn() && law->time_ns == 0) reason = "the time must be more than 0";
  if (reason.empty()) return law;
  return unexpected(
      fmt::format("service '{}': {}; write it like 'fixed 2ms', 'exp 1ms', 'lognormal 1ms 0.5' or "
                  "'bimodal 95% 1ms, 5% 50ms'",
                  base::printable(text), reason));
}

std::string service_text(const ServiceLaw& law) {
  const std::string time = base::format_span(law.time_ns);
  switch (law.kind) {
    case ServiceLaw::Kind::kFixed:
      break;
    case ServiceLaw::Kind::kExponential:
      return "exp " + time;
    case ServiceLaw::Kind::kLognormal:
      return fmt::format("lognormal {} {}", time, law.sigma);
    case ServiceLaw::Kind::kBimodal:
      return fmt::format("bimodal {:.10g}% {}, {:.10g}% {}", law.percent, time, 100 - law.percent,
                         base::format_span(law.other_ns));
  }
  return "fixed " + time;
}

int64_t service_ns(const ServiceLaw& law, uint64_t seed, uint64_t k) {
  const uint64_t stream = base::mix(seed, kServiceStream);
  const auto time = static_cast<double>(law.time_ns);
  switch (law.kind) {
    case ServiceLaw::Kind::kFixed:
      break;
    case ServiceLaw::Kind::kExponential:
      return rounded(-std::log(base::positive_unit_from(base::mix(stream, k))) * time);
    case ServiceLaw::Kind::kLognormal:
      return rounded(time * std::exp(law.sigma * standard_normal(stream, k)));
    case ServiceLaw::Kind::kBimodal:
      return base::positive_unit_from(base::mix(stream, k)) * 100 <= law.percent ? law.time_ns
                                                                                 : law.other_ns;
  }
  return law.time_ns;
}

}  // namespace carronade::server
