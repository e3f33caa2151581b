// Reports of runs made by hand against test/golden/ab. `APPROVE=1 dialect_ab_test` (started in the
// root of the source tree) writes the files anew: read the diff before keeping it.
#include "dialects/ab/ab_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"

namespace carronade::dialects::ab {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kStartUnixNs = 1'442'673'950'250 * kMs;  // Sat Sep 19 14:45:50 2015 in UTC

void compare(const std::string& name, const std::string& text) {
  const std::string path = "test/golden/ab/" + name;
  const char* approve = std::getenv("APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::ofstream out(path, std::ios::binary);
    ASSERT_TRUE(out << text << std::flush) << path;
    return;
  }
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden.has_value()) << golden.error().text;
  EXPECT_EQ(text, *golden) << "APPROVE=1 dialect_ab_test writes " << path << " anew";
}

// A run of 20 requests over 123 ms.
AbReport plain_report() {
  AbReport report;
  report.host = "localhost";
  report.port = 8080;
  report.path = "/index.html";
  report.concurrency = 10;
  report.server = "nginx/1.22.1";
  report.document_bytes = 612;
  report.elapsed_ns = 123 * kMs;
  report.complete = 20;
  report.bytes_received = 850'000;
  report.bytes_body = 12'240;
  for (int64_t i = 0; i < 20; ++i) {
    report.records.push_back({.start_ns = i * 60 * kMs,
                              .connect_ns = i * 150'000,
                              .wait_ns = 1 * kMs + i * 100'000,
                              .total_ns = 3 * kMs + i * i * 250'000});
  }
  return report;
}

AbReport finished(AbReport report, bool quirks = false) {
  report.times = ab_times(report.records, quirks);
  return report;
}

AbReport full_report() {
  AbReport report = plain_report();
  report.port = 443;
  report.server_name = "localhost";
  report.tls = TlsFacts{.protocol = "TLSv1.3",
                        .cipher = "TLS_AES_256_GCM_SHA384",
                        .cipher_bits = 256,
                        .peer_key_bits = 2048,
                        .temporary_key = "X25519",
                        .temporary_key_bits = 253};
  report.keep_alive = report.with_body = report.variable_length = true;
  report.failures = {.connect = 1, .receive = 2, .length = 3, .exceptions = 4, .write = 5};
  report.non_2xx = 3;
  report.kept_alive = 19;
  report.bytes_sent = 123'000;
  return report;
}

TEST(AbReportGolden, Plain) { compare("plain.txt", ab_text_report(finished(plain_report()), {})); }

TEST(AbReportGolden, EveryLine) {
  compare("full.txt", ab_text_report(finished(full_report()), {}));
}

TEST(AbReportGolden, ShortTable) {
  const AbStyle style{.percentiles = false, .confidence = false};
  compare("short.txt", ab_text_report(finished(plain_report()), style));
}

TEST(AbReportGolden, Quirks) {
  const AbStyle style{.quirks = true};
  compare("quirks.txt", ab_text_report(finished(plain_report(), true), style));
  compare("quirks.html", ab_html_report(finished(plain_report(), true), style));
}

TEST(AbReportGolden, Html) {
  const AbStyle style{.table_attributes = "border=1",
                      .row_attributes = "class=r",
                      .cell_attributes = "bgcolor=white"};
  AbReport report = finished(full_report());
  report.server = "<script>&";
  compare("full.html", ab_html_report(report, style));
}

TEST(AbReportGolden, NothingAnswered) {
  AbReport report = plain_report();
  report.records.clear();
  report.complete = report.document_bytes = report.bytes_received = report.bytes_body = 0;
  report.server.clear();
  report.failures.connect = 20;
  compare("nothing.txt", ab_text_report(report, {}));
  compare("nothing.html", ab_html_report(report, {}));
  report.elapsed_ns = 0;
  EXPECT_EQ(ab_text_report(report, {}).find("per second"), std::string::npos);
}

TEST(AbReportGolden, OneAnswerHasNoPercentages) {
  AbReport report = plain_report();
  report.records.resize(1);
  report.complete = 1;
  compare("one.txt", ab_text_report(finished(report), {}));
}

TEST(AbReportGolden, Warnings) {
  AbReport report = plain_report();
  for (size_t i = 0; i < report.records.size(); ++i) {
    report.records[i] = {.connect_ns = i < 19 ? 0 : 100 * kMs,
                         .wait_ns = static_cast<int64_t>(i) * kMs,
                         .total_ns = 200 * kMs + (i < 11 ? 0 : static_cast<int64_t>(i) * kMs)};
  }
  AbReport made = finished(report);
  made.times->connect.median = made.times->connect.mean + 100 * kMs;
  made.times->total.median = made.times->total.mean + static_cast<int64_t>(9.9 * kMs);
  compare("warnings.txt", ab_text_report(made, {}));
}

TEST(AbReportGolden, Files) {
  ::setenv("TZ", "UTC", 1);
  const AbReport report = finished(plain_report());
  compare("percentages.csv", ab_csv(report, false));
  const std::string rows = ab_gnuplot_rows(report, 0, 1000, kStartUnixNs);
  compare("gnuplot.tsv", ab_gnuplot_header() + rows);
  EXPECT_EQ(rows, ab_gnuplot_rows(report, 0, 7, kStartUnixNs) +
                      ab_gnuplot_rows(report, 7, 13, kStartUnixNs) +
                      ab_gnuplot_rows(report, 20, 5, kStartUnixNs));
}

TEST(AbBanner, NamesWhoMeasured) {
  EXPECT_TRUE(
      ab_banner("1.2", false).starts_with("This is ApacheBench, Version 2.3 <carronade 1.2>\n"));
  EXPECT_TRUE(ab_banner("1.2", false).ends_with("\n\n"));
  EXPECT_TRUE(ab_banner("1.2", true).starts_with("<p>\n This is ApacheBench, Version 2.3 "));
}

}  // namespace
}  // namespace carronade::dialects::ab
