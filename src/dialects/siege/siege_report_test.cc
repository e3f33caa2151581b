// Reports made by hand against the files in test/golden/siege. `APPROVE=1 dialect_siege_test`
// (started in the root of the source tree) writes the files anew: read the diff before keeping it.
#include "dialects/siege/siege_report.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.h"
#include "dialects/siege/siege_config.h"
#include "dialects/siege/siege_lines.h"

namespace carronade::dialects::siege {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kDate = 1'706'695'200;  // 2024-01-31 10:00:00 UTC

void compare(const std::string& file, const std::string& text) {
  const std::string path = "test/golden/siege/" + file;
  const char* const approve = ::getenv("APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::ofstream out(path, std::ios::binary);
    ASSERT_TRUE(out << text << std::flush) << path;
    return;
  }
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden.has_value()) << golden.error().text;
  EXPECT_EQ(text, *golden) << "APPROVE=1 dialect_siege_test writes " << path << " anew";
}

// 2,000 hits of 247.5 ms each on average, 1,990 of them successful, and 20 failures of which
// 10 were answers.
SiegeTally normal() {
  return {.hits = 2000,
          .successful = 1990,
          .failed = 20,
          .answers = 2010,
          .sum_ns = 495'000 * kMs,
          .longest_ns = 4620 * kMs,
          .shortest_ns = 412'345,
          .bytes = 6'029'312};
}

void in_utc() {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
}

TEST(SiegeReport, Golden) {
  in_utc();
  const SiegeFigures figures = figures_of(normal(), 58'570 * kMs, false);
  compare("report.txt", text_report(figures, false));
  compare("report_old.txt", text_report(figures, true));
  compare("report.json", json_report(figures));
  compare("log.txt", log_heading() + log_mark("a mark") + log_line(figures, kDate));
  const SiegeFigures none = figures_of(SiegeTally(), 0, false);
  compare("nothing.txt", text_report(none, false));
  compare("nothing.json", json_report(none));
  compare("nothing_log.txt", log_line(none, kDate));
}

TEST(SiegeReport, JsonIsJson) {
  const auto json = nlohmann::json::parse(json_report(figures_of(normal(), 58'570 * kMs, false)));
  EXPECT_EQ(json["transactions"], 2000);
  EXPECT_EQ(json["failed_transactions"], 20);
  EXPECT_EQ(json["shortest_transaction"], 0.0);
  EXPECT_EQ(json.size(), 12U);
}

TEST(SiegeReport, TheMeanIsOfAllAnswers) {
  EXPECT_DOUBLE_EQ(figures_of(normal(), kMs, false).response_s, 495.0 / 2010);
  EXPECT_DOUBLE_EQ(figures_of(normal(), kMs, true).response_s, 495.0 / 2000);
}

TEST(SiegeReport, Configuration) {
  SiegeSettings settings;
  ASSERT_TRUE(apply_config(config_template(), "template", settings).has_value());
  compare("configuration.txt", configuration_text(settings));
}

TEST(SiegeLines, Golden) {
  in_utc();
  std::string text;
  const auto line = [&text](const SiegeSettings& settings, uint16_t status,
                            std::string_view method = "GET", bool unchanged = false) {
    const HitRecord record{.time_ns = 1234 * kMs,
                           .unix_s = kDate,
                           .bytes = 612,
                           .line = 3,
                           .user = 17,
                           .status = status,
                           .method_size = static_cast<uint8_t>(method.size()),
                           .http_1_0 = status == 404,
                           .unchanged = unchanged};
    append_hit_line(record, method, "/index.html", settings, text);
  };
  SiegeSettings settings;
  for (const uint16_t status : {200, 302, 404, 500}) line(settings, status);
  line(settings, 304, "GET", true);
  settings.colour = false;
  line(settings, 200, "OPTIONS");
  settings.display_id = true;
  line(settings, 200);
  settings.timestamp = true;
  line(settings, 200);
  settings.csv = true;
  line(settings, 200);
  settings.timestamp = settings.display_id = false;
  settings.mark = "a mark";
  line(settings, 200);
  compare("lines.txt", text);
}

TEST(SiegeLines, RecordsComeBack) {
  const HitRecord record{.time_ns = 5, .bytes = 7, .user = 9, .status = 201, .method_size = 4};
  const std::string bytes = std::string(bytes_of(record)) + "POST/x";
  HitRecord read;
  std::string_view method;
  std::string_view url;
  ASSERT_TRUE(read_hit(bytes, read, method, url));
  EXPECT_EQ(read.time_ns, 5);
  EXPECT_EQ(read.user, 9U);
  EXPECT_EQ(method, "POST");
  EXPECT_EQ(url, "/x");
  EXPECT_FALSE(read_hit("short", read, method, url));
}

TEST(SiegeLines, NoticesAreOneLine) {
  EXPECT_EQ(notice("error", "a\nb"), "[\033[1;33merror\033[0m] a\\x0ab\n");
}

}  // namespace
}  // namespace carronade::dialects::siege
