#include "dialects/vegeta/vegeta_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "dialects/vegeta/vegeta_go_duration.h"
#include "dialects/vegeta/vegeta_spans.h"

namespace carronade::dialects::vegeta {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

std::string number(double value) {
  std::string out;
  append_json_number(value, out);
  return out;
}

std::string time_text(int64_t unix_ns, int zone_minutes) {
  std::string out;
  append_time(unix_ns, zone_minutes, out);
  return out;
}

TEST(VegetaText, StringsAsGoWritesThemInJson) {
  EXPECT_EQ(json("plain /?é"), "\"plain /?é\"");
  EXPECT_EQ(json("\"\\\n\r\t\x01"), "\"\\\"\\\\\\n\\r\\t\\u0001\"");
  EXPECT_EQ(json("<a>&"), "\"\\u003ca\\u003e\\u0026\"");
  EXPECT_EQ(json("\u2028\u2029"), "\"\\u2028\\u2029\"");
  EXPECT_EQ(json("a\xff\xc3"), "\"a\\ufffd\\ufffd\"");
  EXPECT_EQ(json("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"") << "a surrogate is no character";
  EXPECT_EQ(json("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
}

TEST(VegetaText, NumbersAsGoWritesThemInJson) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(0.99), "0.99");
  EXPECT_EQ(number(44.333333333333336), "44.333333333333336");
  EXPECT_EQ(number(1e20), "100000000000000000000");
  EXPECT_EQ(number(1e21), "1e+21");
  EXPECT_EQ(number(0.000001), "0.000001");
  EXPECT_EQ(number(1.5e-7), "1.5e-7");
  EXPECT_EQ(number(1.5e-12), "1.5e-12");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "0");
}

TEST(VegetaText, TimesBothWays) {
  EXPECT_EQ(time_text(0, -1), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_text(1'706'691'600'250'000'000, 60), "2024-01-31T10:00:00.25+01:00");
  EXPECT_EQ(time_text(1'706'691'600'000'000'001, -150), "2024-01-31T06:30:00.000000001-02:30");
  EXPECT_EQ(time_text(-500'000'000, 0), "1969-12-31T23:59:59.5Z");
  for (const char* text : {"2024-02-29T23:59:59.123456789+05:30", "1678-01-01T00:00:00Z",
                           "2261-12-31T23:59:59-11:00"}) {
    const std::optional<ZonedTime> time = parse_time(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time_text(time->unix_ns, time->zone_minutes), text);
  }
  EXPECT_EQ(parse_time("2024-01-31T10:00:00.1234567899Z")->unix_ns % 1'000'000'000, 123'456'789);
}

TEST(VegetaText, WhatIsNoTime) {
  for (const char* text :
       {"", "2024-01-31", "2024-01-31T10:00:00", "2023-02-29T00:00:00Z", "2024-01-31T24:00:00Z",
        "2024-01-31T10:00:00.Z", "2024-01-31T10:00:00+01", "2024-01-31T10:00:00Z ",
        "0001-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "2024-13-01T00:00:00Z",
        "2024-01-31T10:00:00-00:01"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

TEST(VegetaText, Base64) {
  std::string out;
  EXPECT_TRUE(decode_base64("", out));
  EXPECT_EQ(out, "");
  EXPECT_TRUE(decode_base64("aGVsbG8=", out));
  EXPECT_EQ(out, "hello");
  EXPECT_TRUE(decode_base64("AP8=\r\n", out));
  EXPECT_EQ(out, std::string("\0\xff", 2));
  EXPECT_TRUE(decode_base64("YWJj", out));
  EXPECT_EQ(out, "abc");
  for (const char* text : {"a", "aGVsbG8", "aGVsbG8==", "NOT BASE64", "aG=sbG8=", "=", "YWJj="}) {
    EXPECT_FALSE(decode_base64(text, out)) << text;
  }
}

TEST(VegetaText, DifferencesThatDoNotFit) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(saturated_difference(5, 7), -2);
  EXPECT_EQ(saturated_difference(kMost, -1), kMost);
  EXPECT_EQ(saturated_difference(-kMost, kMost), -kMost - 1);
}

// The texts are those of Go's time.Duration.String.
TEST(VegetaGoDuration, Printed) {
  EXPECT_EQ(go_duration(0), "0s");
  EXPECT_EQ(go_duration(1), "1ns");
  EXPECT_EQ(go_duration(12'300), "12.3µs");
  EXPECT_EQ(go_duration(90'438'000), "90.438ms");
  EXPECT_EQ(go_duration(1'500'000'000), "1.5s");
  EXPECT_EQ(go_duration(90'000'000'000), "1m30s");
  EXPECT_EQ(go_duration(3'600'250'000'000), "1h0m0.25s");
  EXPECT_EQ(go_duration(-1'500'000), "-1.5ms");
  EXPECT_EQ(go_duration(std::numeric_limits<int64_t>::max()), "2562047h47m16.854775807s");
}

TEST(VegetaGoDuration, RoundedToTheNextSmallerUnit) {
  EXPECT_EQ(rounded_go_duration(999), "999ns");
  EXPECT_EQ(rounded_go_duration(90'438'499), "90.438ms");
  EXPECT_EQ(rounded_go_duration(90'438'500), "90.439ms");
  EXPECT_EQ(rounded_go_duration(10'095'499'999), "10.095s");
  EXPECT_EQ(rounded_go_duration(89'600'000'000), "1m30s");
  EXPECT_EQ(rounded_go_duration(3'629'000'000'000), "1h0m0s");
  EXPECT_EQ(rounded_go_duration(3'631'000'000'000), "1h1m0s");
  EXPECT_EQ(rounded_go_duration(999'999'600), "1s");
  EXPECT_EQ(rounded_go_duration(std::numeric_limits<int64_t>::max()), "2562047h47m0s");
}

TEST(VegetaGoDuration, Read) {
  EXPECT_EQ(parse_go_duration("0"), 0);
  EXPECT_EQ(parse_go_duration("1m30s"), 90'000'000'000);
  EXPECT_EQ(parse_go_duration("-1.5h"), -5'400'000'000'000);
  EXPECT_EQ(parse_go_duration("100ms"), 100'000'000);
  EXPECT_EQ(parse_go_duration(".5us"), 500);
  EXPECT_EQ(parse_go_duration("3µs"), 3'000);
  const auto error = [](std::string_view text) { return parse_go_duration(text).error().text; };
  EXPECT_EQ(error("2"), "time: missing unit in duration \"2\"");
  EXPECT_EQ(error("2d"), "time: unknown unit \"d\" in duration \"2d\"");
  EXPECT_EQ(error(""), "time: invalid duration \"\"");
  EXPECT_EQ(error("s"), "time: invalid duration \"s\"");
  EXPECT_EQ(error("99999999999h"), "time: invalid duration \"99999999999h\"");
}

TEST(VegetaSpans, TellOfPausesBetweenFiles) {
  constexpr int64_t kSecond = 1'000'000'000;
  FileSpans spans;
  spans.add(0, 0);
  spans.add(0, 10 * kSecond);
  EXPECT_EQ(spans.gap_note(100), "");
  spans.add(1, 10 * kSecond);
  spans.add(1, 20 * kSecond);
  EXPECT_EQ(spans.gap_note(100), "") << "one after the other without a pause";
  spans.add(2, 120 * kSecond);
  spans.add(2, 115 * kSecond);
  EXPECT_EQ(spans.gap_note(2500),
            "note: the files' attacks went on for 25s, with 1m35s between them in which nothing "
            "was sent: 100.00 requests/s while they went on");
}

}  // namespace
}  // namespace carronade::dialects::vegeta
