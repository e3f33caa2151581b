// The two files of ab: percentages as CSV, and a line a request for gnuplot.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>

#include "base/check.h"
#include "dialects/ab/ab_report.h"

namespace carronade::dialects::ab {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// "Thu Sep 19 14:45:50 2015" in local time; English, whatever the locale.
std::string date_text(time_t seconds) {
  static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm date{};
  if (localtime_r(&seconds, &date) == nullptr) return "";
  return fmt::format("{} {} {:02} {:02}:{:02}:{:02} {}", kDays[static_cast<size_t>(date.tm_wday)],
                     kMonths[static_cast<size_t>(date.tm_mon)], date.tm_mday, date.tm_hour,
                     date.tm_min, date.tm_sec, date.tm_year + 1900);
}

}  // namespace

std::string ab_csv(const AbReport& report, bool quirks) {
  const std::vector<AbRecord>& records = report.records;
  CHECK(!records.empty());
  std::string out = "Percentage served,Time in ms\n";
  for (unsigned percent = 0; percent <= 100; ++percent) {
    const size_t rank = ab_csv_rank(records.size(), percent, quirks);
    fmt::format_to(std::back_inserter(out), "{},{:.3f}\n", percent,
                   static_cast<double>(records[rank].total_ns) / 1e6);
  }
  return out;
}

std::string ab_gnuplot_header() { return "starttime\tseconds\tctime\tdtime\tttime\twait\n"; }

std::string ab_gnuplot_rows(const AbReport& report, size_t first, size_t count,
                            int64_t unix_minus_monotonic_ns) {
  std::string out;
  int64_t shown_second = -1;
  std::string date;
  const size_t end = std::min(first + count, report.records.size());
  for (size_t i = first; i < end; ++i) {
    const AbRecord& record = report.records[i];
    const int64_t second = (record.start_ns + unix_minus_monotonic_ns) / kSecond;
    if (second != shown_second) {
      date = date_text(second);
      shown_second = second;
    }
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\n", date, second,
                   round_ms(record.connect_ns), round_ms(record.total_ns - record.connect_ns),
                   round_ms(record.total_ns), round_ms(record.wait_ns));
  }
  return out;
}

}  // namespace carronade::dialects::ab
