// Golden reports in test/golden/vegeta; APPROVE=1 writes them anew.
#include "dialects/vegeta/vegeta_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"
#include "cli/flag_table.h"
#include "dialects/vegeta/vegeta_result_flags.h"

namespace carronade::dialects::vegeta {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = "test/golden/vegeta/" + name;
  if (std::getenv("APPROVE") != nullptr) std::ofstream(path) << text;
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden) << golden.error().text << " (APPROVE=1 writes it)";
  EXPECT_EQ(text, *golden) << "APPROVE=1 accepts it";
}

Result result_number(int64_t i) {
  constexpr int64_t kTenMs = 10'000'000;
  Result result;
  result.seq = static_cast<uint64_t>(i);
  result.timestamp_unix_ns = 1'706'691'600'000'000'000 + i * kTenMs;
  result.zone_minutes = 60;
  result.latency_ns = 900'123 + i * i * 1'017;
  result.bytes_out = 12;
  const bool refused = i % 50 == 7;
  result.code = refused ? 0 : i % 20 == 3 ? 503 : 200;
  result.bytes_in = refused ? 0 : 1'024;
  if (refused) result.error = "Get \"http://localhost:6060\": dial tcp: connection refused";
  if (result.code == 503) result.error = "503 Service Unavailable";
  return result;
}

TEST(VegetaReport, Goldens) {
  ResultMetrics metrics;
  BucketCounts buckets = BucketCounts::parse("[0,1ms,2ms,5ms,1m30s]").value();
  for (int64_t i = 0; i < 100; ++i) {
    metrics.add(result_number(i));
    buckets.add(result_number(i).latency_ns);
  }
  expect_golden("report.txt", text_report(metrics));
  expect_golden("report.json", json_report(metrics, nullptr));
  expect_golden("report_buckets.json", json_report(metrics, &buckets));
  expect_golden("hist.txt", hist_report(buckets));
  expect_golden("hdrplot.txt", hdrplot_report(metrics));
}

TEST(VegetaReport, GoldensOfNothing) {
  const ResultMetrics metrics;
  expect_golden("empty.txt", text_report(metrics));
  expect_golden("empty.json", json_report(metrics, nullptr));
  expect_golden("empty_hist.txt", hist_report(BucketCounts::parse("[0,1ms]").value()));
}

TEST(VegetaReport, AnErrorIsOneLine) {
  ResultMetrics metrics;
  Result result = result_number(0);
  result.error = "two\nlines \x1b[2J";
  metrics.add(result);
  const std::string text = text_report(metrics);
  EXPECT_TRUE(text.ends_with("Error Set:\ntwo\\x0alines \\x1b[2J\n")) << text;
}

TEST(VegetaReport, HasThe94Quantiles) {
  ResultMetrics metrics;
  metrics.add(result_number(0));
  const std::string text = hdrplot_report(metrics);
  EXPECT_EQ(base::split(text, '\n').size(), 1 + 94 + 1);
  EXPECT_TRUE(text.ends_with("  1.000000    1           10000000.000000\n")) << text;
}

TEST(VegetaReport, EachFlagIsOnThePage) {
  const Expected<std::string> page = base::read_file("docs/compat/vegeta.md");
  ASSERT_TRUE(page) << page.error().text;
  EncodeOptions encode;
  ReportOptions report;
  PlotOptions plot;
  for (const auto& [command, table] :
       {std::pair("encode", encode_flags(encode)), std::pair("report", report_flags(report)),
        std::pair("plot", plot_flags(plot))}) {
    const size_t section = page->find(std::string("## ") + command + "\n");
    ASSERT_NE(section, std::string::npos) << command;
    const std::string text = page->substr(section, page->find("\n## ", section + 1) - section);
    for (const cli::Flag& flag : table) {
      EXPECT_NE(text.find("`-" + flag.name), std::string::npos) << command << " -" << flag.name;
    }
  }
}

}  // namespace
}  // namespace carronade::dialects::vegeta
