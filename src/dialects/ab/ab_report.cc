#include "dialects/ab/ab_report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace carronade::dialects::ab {
namespace {

constexpr double kKilobyte = 1024;
constexpr double kNsPerMs = 1e6;

class TextReport {
 public:
  TextReport(const AbReport& report, const AbStyle& style) : report_(report), style_(style) {}

  std::string text() {
    out_ = "\n\n";
    server();
    document();
    counts();
    if (report_.elapsed_ns > 0) rates();
    if (report_.times) {
      style_.confidence ? long_table(*report_.times) : short_table(*report_.times);
      if (style_.percentiles && report_.records.size() > 1) percentages();
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void server() {
    line("Server Software:        {}", report_.server);
    line("Server Hostname:        {}", report_.host);
    line("Server Port:            {}", report_.port);
    if (report_.tls) {
      const TlsFacts& tls = *report_.tls;
      line("SSL/TLS Protocol:       {},{},{},{}", tls.protocol, tls.cipher, tls.peer_key_bits,
           tls.cipher_bits);
      if (!tls.temporary_key.empty()) {
        line("Server Temp Key:        {} {} bits", tls.temporary_key, tls.temporary_key_bits);
      }
    }
    if (!report_.server_name.empty()) line("TLS Server Name:        {}", report_.server_name);
  }

  void document() {
    out_ += '\n';
    line("Document Path:          {}", report_.path);
    if (report_.variable_length) {
      line("Document Length:        Variable");
    } else {
      line("Document Length:        {} bytes", report_.document_bytes);
    }
    out_ += '\n';
  }

  void counts() {
    const AbFailures& failures = report_.failures;
    const uint64_t failed = failed_requests(failures);
    line("Concurrency Level:      {}", report_.concurrency);
    line("Time taken for tests:   {:.3f} seconds", seconds());
    line("Complete requests:      {}", report_.complete);
    line("Failed requests:        {}", failed);
    if (failed > 0) {
      line("   (Connect: {}, Receive: {}, Length: {}, Exceptions: {})", failures.connect,
           failures.receive, failures.length, failures.exceptions);
    }
    if (failures.write > 0) line("Write errors:           {}", failures.write);
    if (report_.non_2xx > 0) line("Non-2xx responses:      {}", report_.non_2xx);
    if (report_.keep_alive) line("Keep-Alive requests:    {}", report_.kept_alive);
    line("Total transferred:      {} bytes", report_.bytes_received);
    if (report_.with_body) line("Total body sent:        {}", report_.bytes_sent);
    line("HTML transferred:       {} bytes", report_.bytes_body);
  }

  // With nothing complete too, where ab has none of these lines: programs look for them.
  void rates() {
    const auto complete = static_cast<double>(report_.complete);
    const double ms_each = report_.complete > 0 ? seconds() * 1000 / complete : 0;
    line("Requests per second:    {:.2f} [#/sec] (mean)", complete / seconds());
    line("Time per request:       {:.3f} [ms] (mean)", report_.concurrency * ms_each);
    line("Time per request:       {:.3f} [ms] (mean, across all concurrent requests)", ms_each);
    line("Transfer rate:          {:.2f} [Kbytes/sec] received",
         per_second(report_.bytes_received));
    if (!report_.with_body) return;
    line("                        {:.2f} kb/s sent", per_second(report_.bytes_sent));
    line("                        {:.2f} kb/s total",
         per_second(report_.bytes_received + report_.bytes_sent));
  }

  void long_table(const AbTimes& times) {
    line("\nConnection Times (ms)");
    line("              min  mean[+/-sd] median   max");
    const auto row = [this](std::string_view name, const AbRow& r) {
      line("{:<11} {:5} {:4} {:5.1f} {:6} {:7}", name, round_ms(r.min), round_ms(r.mean),
           r.deviation / kNsPerMs, round_ms(r.median), round_ms(r.max));
    };
    row("Connect:", times.connect);
    row("Processing:", times.processing);
    row("Waiting:", times.waiting);
    row("Total:", times.total);
    warn("the initial connection time", times.connect);
    warn("the processing time", times.processing);
    warn("the waiting time", times.waiting);
    warn("the total time", times.total);
  }

  void short_table(const AbTimes& times) {
    line("\nConnection Times (ms)");
    line("              min   avg   max");
    const auto row = [this](std::string_view name, const AbRow& r) {
      line("{:<11} {:5} {:5}{:5}", name, round_ms(r.min), round_ms(r.mean), round_ms(r.max));
    };
    row("Connect:", times.connect);
    row("Processing:", times.processing);
    row("Waiting:", times.waiting);
    row("Total:", times.total);
  }

  // ab compares what it has rounded to whole milliseconds, so that 0.6 and 0.4 ms are apart.
  void warn(std::string_view what, const AbRow& row) {
    double apart = std::abs(static_cast<double>(row.mean) - static_cast<double>(row.median));
    if (style_.quirks) {
      apart = std::abs(static_cast<double>(round_ms(row.mean) - round_ms(row.median))) * kNsPerMs;
    }
    if (apart > 2 * row.deviation) {
      line("ERROR: The median and mean for {} are more than twice the standard", what);
      line("       deviation apart. These results are NOT reliable.");
    } else if (apart > row.deviation) {
      line("WARNING: The median and mean for {} are not within a normal deviation", what);
      line("        These results are probably not that reliable.");
    }
  }

  void percentages() {
    const std::vector<AbRecord>& records = report_.records;
    line("\nPercentage of the requests served within a certain time (ms)");
    for (const unsigned percent : {50U, 66U, 75U, 80U, 90U, 95U, 98U, 99U}) {
      const size_t rank = ab_rank(records.size(), percent, style_.quirks);
      line("  {}%  {:5}", percent, round_ms(records[rank].total_ns));
    }
    line(" 100%  {:5} (longest request)", round_ms(records.back().total_ns));
  }

  double seconds() const { return static_cast<double>(report_.elapsed_ns) / 1e9; }
  double per_second(uint64_t bytes) const {
    return static_cast<double>(bytes) / kKilobyte / seconds();
  }

  const AbReport& report_;
  const AbStyle& style_;
  std::string out_;
};

}  // namespace

std::string ab_banner(std::string_view version, bool html) {
  if (html) {
    return fmt::format(
        "<p>\n"
        " This is ApacheBench, Version 2.3 <i>&lt;carronade {}&gt;</i><br>\n"
        " ab's command line on the engine of carronade<br>\n"
        " docs/compat/ab.md says what differs<br>\n"
        "</p>\n<p>\n",
        version);
  }
  return fmt::format(
      "This is ApacheBench, Version 2.3 <carronade {}>\n"
      "ab's command line on the engine of carronade\n"
      "docs/compat/ab.md says what differs\n\n",
      version);
}

uint64_t failed_requests(const AbFailures& failures) {
  return failures.connect + failures.receive + failures.length + failures.exceptions;
}

std::string ab_text_report(const AbReport& report, const AbStyle& style) {
  return TextReport(report, style).text();
}

}  // namespace carronade::dialects::ab
