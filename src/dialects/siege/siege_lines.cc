#include "dialects/siege/siege_lines.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <ctime>
#include <iterator>

#include "base/text.h"

namespace carronade::dialects::siege {
namespace {

constexpr double kSecondNs = 1e9;

int colour_of(const HitRecord& record) {
  if (record.unchanged) return 32;
  switch (record.status / 100) {
    case 2:
      return 34;
    case 3:
      return 36;
    case 4:
      return 35;
    default:
      return 31;
  }
}

std::tm local(int64_t unix_s) {
  const auto time = static_cast<std::time_t>(unix_s);
  std::tm parts{};
  localtime_r(&time, &parts);
  return parts;
}

std::string dated(const std::tm& parts) {
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void append_stamp(int64_t unix_s, std::string& out) {
  constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  const std::tm parts = local(unix_s);
  fmt::format_to(std::back_inserter(out), "[{}, {}] ", kDays[static_cast<size_t>(parts.tm_wday)],
                 dated(parts));
}

}  // namespace

std::string_view bytes_of(const HitRecord& record) {
  return {reinterpret_cast<const char*>(&record), sizeof(record)};
}

bool read_hit(std::string_view rest, HitRecord& record, std::string_view& method,
              std::string_view& url) {
  if (rest.size() < sizeof(record)) return false;
  std::memcpy(&record, rest.data(), sizeof(record));
  rest.remove_prefix(sizeof(record));
  method = rest.substr(0, record.method_size);
  url = rest.substr(method.size());
  return true;
}

void append_hit_line(const HitRecord& record, std::string_view method, std::string_view url,
                     const SiegeSettings& settings, std::string& out) {
  const auto to = std::back_inserter(out);
  const std::string_view protocol = record.http_1_0 ? "HTTP/1.0" : "HTTP/1.1";
  const double seconds = static_cast<double>(record.time_ns) / kSecondNs;
  if (settings.colour) fmt::format_to(to, "\033[0;{}m", colour_of(record));
  if (settings.timestamp) append_stamp(record.unix_s, out);
  if (settings.csv) {
    if (settings.display_id) fmt::format_to(to, "{:4},", record.user);
    if (!settings.mark.empty()) fmt::format_to(to, "{},", settings.mark);
    fmt::format_to(to, "{},{},{:6.2f},{:7},{},{},{}", protocol, record.status, seconds,
                   record.bytes, url, record.line, dated(local(record.unix_s)));
  } else {
    if (settings.display_id) fmt::format_to(to, "{:4}) ", record.user);
    const std::string_view cached = record.unchanged ? "(C)" : settings.display_id ? " " : "   ";
    fmt::format_to(to, "{} {}{}{:6.2f} secs: {:7} bytes ==> {:<4} {}", protocol, record.status,
                   cached, seconds, record.bytes, method, url);
  }
  out += settings.colour ? "\033[0m\n" : "\n";
}

std::string local_time(int64_t unix_s) { return dated(local(unix_s)); }

std::string notice(std::string_view level, std::string_view text) {
  const int colour = level == "fatal" ? 31 : level == "alert" ? 32 : 33;
  return fmt::format("[\033[1;{}m{}\033[0m] {}\n", colour, level, base::printable(text));
}

}  // namespace carronade::dialects::siege
