// ab's report: data in, text out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/run_result.h"
#include "dialects/ab/ab_tally.h"
#include "dialects/ab/ab_times.h"

namespace carronade::dialects::ab {

struct AbReport {
  // Of the command line.
  std::string host;
  uint16_t port = 0;
  std::string path;
  std::string server_name;  // of the TLS handshake; "" for none
  uint32_t concurrency = 1;
  bool variable_length = false;
  bool keep_alive = false;
  bool with_body = false;

  // Of the run.
  std::string server;
  std::optional<TlsFacts> tls;
  uint64_t document_bytes = 0;
  int64_t elapsed_ns = 0;
  uint64_t complete = 0;
  AbFailures failures;
  uint64_t non_2xx = 0;
  uint64_t kept_alive = 0;
  uint64_t bytes_received = 0;
  uint64_t bytes_sent = 0;
  uint64_t bytes_body = 0;
  std::vector<AbRecord> records;  // sorted by total when there are times
  std::optional<AbTimes> times;   // nothing without an answer
};

struct AbStyle {
  bool percentiles = true;
  bool confidence = true;
  bool quirks = false;
  std::string table_attributes{};  // these three for HTML
  std::string row_attributes{};
  std::string cell_attributes{};
};

// What is printed before the run: three lines and an empty one. `version` is carronade's.
std::string ab_banner(std::string_view version, bool html);

// From "Server Software" on, with the two empty lines before it.
std::string ab_text_report(const AbReport& report, const AbStyle& style);
std::string ab_html_report(const AbReport& report, const AbStyle& style);

// -e: the percentages as CSV. There must be times.
std::string ab_csv(const AbReport& report, bool quirks);

// -g: the lines of the records from `first` on, at most `count`, for a file too large for memory.
// `unix_minus_monotonic_ns` makes a wall clock of the records' times; local time.
std::string ab_gnuplot_header();
std::string ab_gnuplot_rows(const AbReport& report, size_t first, size_t count,
                            int64_t unix_minus_monotonic_ns);

uint64_t failed_requests(const AbFailures& failures);

}  // namespace carronade::dialects::ab
