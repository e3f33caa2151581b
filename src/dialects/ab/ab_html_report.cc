// The report of -w: the same labels in the same order, as one table.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "dialects/ab/ab_report.h"

namespace carronade::dialects::ab {
namespace {

class HtmlReport {
 public:
  HtmlReport(const AbReport& report, const AbStyle& style)
      : report_(report), row_(style.row_attributes), cell_(style.cell_attributes) {
    out_ = fmt::format("\n\n<table {}>\n", style.table_attributes);
    quirks_ = style.quirks;
  }

  std::string text() {
    field("Server Software:", base::html_escaped(report_.server));
    field("Server Hostname:", base::html_escaped(report_.host));
    field("Server Port:", fmt::to_string(report_.port));
    field("Document Path:", base::html_escaped(report_.path));
    field("Document Length:",
          report_.variable_length ? "Variable" : fmt::format("{} bytes", report_.document_bytes));
    counts();
    if (report_.elapsed_ns > 0) rates();
    if (report_.times) times(*report_.times);
    return std::move(out_) + "</table>\n";
  }

 private:
  void field(std::string_view label, std::string_view value) {
    out_ += fmt::format("<tr {}><th colspan=2 {}>{}</th><td colspan=2 {}>{}</td></tr>\n", row_,
                        cell_, label, cell_, value);
  }

  void counts() {
    const AbFailures& failures = report_.failures;
    const uint64_t failed = failed_requests(failures);
    field("Concurrency Level:", fmt::to_string(report_.concurrency));
    field("Time taken for tests:", fmt::format("{:.3f} seconds", seconds()));
    field("Complete requests:", fmt::to_string(report_.complete));
    field("Failed requests:", fmt::to_string(failed));
    if (failed > 0) {
      // ab leaves out what it calls Receive here.
      const std::string receive = quirks_ ? "" : fmt::format(" Receive: {},", failures.receive);
      out_ += fmt::format(
          "<tr {}><td colspan=4 {} >   (Connect: {},{} Length: {}, Exceptions: {})</td></tr>\n",
          row_, cell_, failures.connect, receive, failures.length, failures.exceptions);
    }
    if (report_.non_2xx > 0) field("Non-2xx responses:", fmt::to_string(report_.non_2xx));
    if (report_.keep_alive) field("Keep-Alive requests:", fmt::to_string(report_.kept_alive));
    field("Total transferred:", fmt::format("{} bytes", report_.bytes_received));
    if (report_.with_body) field("Total body sent:", fmt::to_string(report_.bytes_sent));
    field("HTML transferred:", fmt::format("{} bytes", report_.bytes_body));
  }

  void rates() {
    field("Requests per second:",
          fmt::format("{:.2f}", static_cast<double>(report_.complete) / seconds()));
    field("Transfer rate:", fmt::format("{:.2f} kb/s received", rate(report_.bytes_received)));
    if (!report_.with_body) return;
    const auto more = [this](uint64_t bytes, std::string_view what) {
      out_ += fmt::format(
          "<tr {}><td colspan=2 {}>&nbsp;</td><td colspan=2 {}>{:.2f} kb/s {}</td></tr>\n", row_,
          cell_, cell_, rate(bytes), what);
    };
    more(report_.bytes_sent, "sent");
    more(report_.bytes_received + report_.bytes_sent, "total");
  }

  void times(const AbTimes& all) {
    out_ += fmt::format("<tr {}><th {} colspan=4>Connection Times (ms)</th></tr>\n", row_, cell_);
    out_ += fmt::format(
        "<tr {}><th {}>&nbsp;</th> <th {}>min</th>   <th {}>avg</th>   <th {}>max</th></tr>\n",
        row_, cell_, cell_, cell_, cell_);
    const AbRow& connect = all.connect;
    const AbRow& total = all.total;
    time_row("Connect:", round_ms(connect.min), round_ms(connect.mean), round_ms(connect.max));
    if (quirks_) {  // ab takes one row of figures from the other
      time_row("Processing:", round_ms(total.min) - round_ms(connect.min),
               round_ms(total.mean) - round_ms(connect.mean),
               round_ms(total.max) - round_ms(connect.max));
    } else {
      time_row("Processing:", round_ms(all.processing.min), round_ms(all.processing.mean),
               round_ms(all.processing.max));
    }
    time_row("Total:", round_ms(total.min), round_ms(total.mean), round_ms(total.max));
  }

  void time_row(std::string_view name, int64_t min, int64_t mean, int64_t max) {
    out_ +=
        fmt::format("<tr {}><th {}>{}</th><td {}>{:5}</td><td {}>{:5}</td><td {}>{:5}</td></tr>\n",
                    row_, cell_, name, cell_, min, cell_, mean, cell_, max);
  }

  double seconds() const { return static_cast<double>(report_.elapsed_ns) / 1e9; }
  double rate(uint64_t bytes) const { return static_cast<double>(bytes) / 1024 / seconds(); }

  const AbReport& report_;
  const std::string& row_;
  const std::string& cell_;
  bool quirks_ = false;
  std::string out_;
};

}  // namespace

std::string ab_html_report(const AbReport& report, const AbStyle& style) {
  return HtmlReport(report, style).text();
}

}  // namespace carronade::dialects::ab
