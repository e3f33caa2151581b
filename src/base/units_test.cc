#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace carronade::base {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

int64_t duration(std::string_view text) {
  const Expected<int64_t> parsed = parse_duration(text, kSecond);
  return parsed ? *parsed : -1;
}

TEST(ParseDuration, PartsAndUnits) {
  EXPECT_EQ(duration("250us"), 250'000);
  EXPECT_EQ(duration("20ms"), 20'000'000);
  EXPECT_EQ(duration("1.5s"), 1'500'000'000);
  EXPECT_EQ(duration("1m30s"), 90 * kSecond);
  EXPECT_EQ(duration("1h"), 3600 * kSecond);
  EXPECT_EQ(duration("2 days"), 2 * 86'400 * kSecond);
  EXPECT_EQ(duration("2w"), 14 * 86'400 * kSecond);
  EXPECT_EQ(duration(" 1 h 2 min  3 secs "), 3723 * kSecond);
  EXPECT_EQ(duration("1 Week"), 7 * 86'400 * kSecond);
  EXPECT_EQ(duration("7ns"), 7);
  EXPECT_EQ(duration("7\u00b5s"), 7000);
  EXPECT_EQ(duration("7\u03bcs"), 7000);
  EXPECT_EQ(duration("3 HOURS"), 3 * 3600 * kSecond);
  EXPECT_EQ(duration("2 milliseconds"), 2'000'000);
  EXPECT_EQ(duration(".5s"), kSecond / 2);
  EXPECT_EQ(duration("1e3ms"), kSecond);
  EXPECT_EQ(duration("1.1s"), 1'100'000'000);  // no binary fraction in between
  EXPECT_EQ(duration("0s"), 0);
}

TEST(ParseDuration, LongUnitNames) {
  for (const char* unit : {"s", "sec", "secs", "second", "seconds"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 2 * kSecond) << unit;
  }
  for (const char* unit : {"m", "min", "mins", "minute", "minutes"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 120 * kSecond) << unit;
  }
  for (const char* unit : {"h", "hr", "hrs", "hour", "hours"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 7200 * kSecond) << unit;
  }
  for (const char* unit : {"ms", "msec", "msecs", "milli", "millisecond"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 2'000'000) << unit;
  }
  for (const char* unit : {"us", "usec", "usecs", "microsecond", "microseconds"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 2000) << unit;
  }
  for (const char* unit : {"w", "wk", "wks", "week", "weeks"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 14 * 86'400 * kSecond) << unit;
  }
  for (const char* unit : {"ns", "nsec", "nsecs", "nanosecond", "nanoseconds"}) {
    EXPECT_EQ(duration(std::string("2") + unit), 2) << unit;
  }
}

TEST(ParseDuration, BareNumberHasTheGivenUnit) {
  EXPECT_EQ(parse_duration("10", kSecond).value(), 10 * kSecond);
  EXPECT_EQ(parse_duration("0.5", kSecond).value(), kSecond / 2);
  EXPECT_EQ(parse_duration("10", 1'000'000).value(), 10'000'000);
  EXPECT_EQ(duration("1m30"), -1);  // 30 of what?
}

TEST(ParseDuration, RefusesAndQuotes) {
  for (const char* text : {"", " ", "s", "ten", "-1s", "+1s", "1x", "1s x", "1..5s", "1s-", "1,5s",
                           "inf", "nan", "0x10s", ".", "1e", "5 month"}) {
    EXPECT_EQ(duration(text), -1) << text;
  }
  EXPECT_EQ(parse_duration("1x\n\x1b", kSecond).error().text.substr(0, 12), "\"1x\\x0a\\x1b\"");
  EXPECT_EQ(duration("300y"), -1);
  EXPECT_EQ(duration("9223372036854775807ns"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(duration("9223372036854775808ns"), -1);
}

TEST(ParseDuration, TooLong) {
  EXPECT_EQ(duration("106751 days"), int64_t{106'751} * 86'400 * kSecond);
  for (const char* text : {"106752 days", "1e30s", "1e999999999999s", "20000w",
                           "99999999999999999999999999999999999w"}) {
    const Expected<int64_t> parsed = parse_duration(text, kSecond);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().text.find("too long"), std::string::npos) << text;
  }
  EXPECT_EQ(duration("1e-999999999999s"), 0);
}

TEST(ParseCount, WholeNumbersAfterTheFactor) {
  EXPECT_EQ(parse_count("1000").value(), 1000U);
  EXPECT_EQ(parse_count("0").value(), 0U);
  EXPECT_EQ(parse_count("1k").value(), 1000U);
  EXPECT_EQ(parse_count("1K").value(), 1000U);
  EXPECT_EQ(parse_count("2.5M").value(), 2'500'000U);
  EXPECT_EQ(parse_count("1.1k").value(), 1100U);
  EXPECT_EQ(parse_count("1e6").value(), 1'000'000U);
  EXPECT_EQ(parse_count("3 G").value(), 3'000'000'000U);
  EXPECT_EQ(parse_count("18446744073709551615").value(), std::numeric_limits<uint64_t>::max());
  EXPECT_FALSE(parse_count("18446744073709551616"));
  EXPECT_FALSE(parse_count("18446744073709551619000"));
  EXPECT_EQ(parse_count("123456789012345678").value(), 123'456'789'012'345'678U);
  for (const char* text : {"", "k", "-1", "1.5", "1.0005k", "1kk", "1 2", "1kb", "0x10", "1e30",
                           "0.000000000000000000001"}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
  EXPECT_EQ(parse_count("abc").error().text,
            "\"abc\" is not a number: write for example 1000, 1k, 2.5M or 1e6");
}

TEST(ParseBytes, DecimalAndBinaryFactors) {
  EXPECT_EQ(parse_bytes("4096").value(), 4096U);
  EXPECT_EQ(parse_bytes("64k").value(), 64'000U);
  EXPECT_EQ(parse_bytes("64KB").value(), 64'000U);
  EXPECT_EQ(parse_bytes("64KiB").value(), 65'536U);
  EXPECT_EQ(parse_bytes("1MiB").value(), 1'048'576U);
  EXPECT_EQ(parse_bytes("2.5MB").value(), 2'500'000U);
  EXPECT_EQ(parse_bytes("1.5 GiB").value(), 1'610'612'736U);
  EXPECT_EQ(parse_bytes("1g").value(), 1'000'000'000U);
  EXPECT_EQ(parse_bytes("12 bytes").value(), 12U);
  EXPECT_EQ(parse_bytes("12b").value(), 12U);
  for (const char* text : {"", "1.5", "1.3KiB", "-1", "1kk", "1tib"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(ParseRate, PerSecondWhateverTheTime) {
  EXPECT_EQ(parse_rate("200").value(), 200);
  EXPECT_EQ(parse_rate("200/s").value(), 200);
  EXPECT_EQ(parse_rate(" 200 / sec ").value(), 200);
  EXPECT_EQ(parse_rate("0.5/s").value(), 0.5);
  EXPECT_EQ(parse_rate(".5").value(), 0.5);
  EXPECT_EQ(parse_rate("30/m").value(), 0.5);
  EXPECT_EQ(parse_rate("30/min").value(), 0.5);
  EXPECT_EQ(parse_rate("7200/h").value(), 2);
  EXPECT_EQ(parse_rate("1/10s").value(), 0.1);
  EXPECT_EQ(parse_rate("3/1m30s").value(), 1.0 / 30);
  EXPECT_EQ(parse_rate("5/100ms").value(), 50);
  EXPECT_EQ(parse_rate("1/.5s").value(), 2);
  EXPECT_EQ(parse_rate("1k").value(), 1000);
  EXPECT_EQ(parse_rate("2.5k/s").value(), 2500);
  EXPECT_EQ(parse_rate("60M/m").value(), 1e6);
  EXPECT_EQ(parse_rate("1e3").value(), 1000);
  EXPECT_EQ(parse_rate("0").value(), 0);
  EXPECT_EQ(parse_rate("10M").value(), 1e7);
}

TEST(ParseRate, RefusesAndQuotes) {
  for (const char* text : {"",     " ",   "/s",   "k",     "-5",   "+5",  "nan",   "inf",
                           "0x10", "ten", "5/",   "5/x",   "5/0s", "5/2", "5/-1s", "5//s",
                           "5 5",  "5kk", "5..6", "5/s/s", "5s",   "1,5", "1.2.3", "5/."}) {
    const Expected<double> parsed = parse_rate(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().text,
              "\"" + std::string(text) +
                  "\" is not a rate: write for example 200, 0.5/s, 30/m, 1/10s or 1k");
  }
  for (const char* text : {"1G", "10000001", "2/1ns", "1e999", "1e30"}) {
    const Expected<double> parsed = parse_rate(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().text,
              "\"" + std::string(text) + "\" is out of range: a rate is 0 to 10,000,000/s");
  }
}

TEST(FormatDuration, UnitByMagnitude) {
  EXPECT_EQ(format_duration(0), "0 ns");
  EXPECT_EQ(format_duration(812), "812 ns");
  EXPECT_EQ(format_duration(5), "5 ns");
  EXPECT_EQ(format_duration(5.25), "5.25 ns");
  EXPECT_EQ(format_duration(0.3), "0.30 ns");
  EXPECT_EQ(format_duration(1e-7), "<0.01 ns");
  EXPECT_EQ(format_duration(64'100), "64.1 µs");
  EXPECT_EQ(format_duration(1'520'000), "1.52 ms");
  EXPECT_EQ(format_duration(1'500'000), "1.50 ms");
  EXPECT_EQ(format_duration(152e6), "152 ms");
  EXPECT_EQ(format_duration(12.4e9), "12.4 s");
  EXPECT_EQ(format_duration(3600e9), "3600 s");
  EXPECT_EQ(format_duration(12'345e9), "12345 s");
  EXPECT_EQ(format_duration(-64'100), "-64.1 µs");
}

TEST(FormatDuration, RoundingMovesToTheNextUnit) {
  EXPECT_EQ(format_duration(999.4), "999 ns");
  EXPECT_EQ(format_duration(999.6), "1.00 µs");
  EXPECT_EQ(format_duration(999'600), "1.00 ms");
  EXPECT_EQ(format_duration(999.6e6), "1.00 s");
  EXPECT_EQ(format_duration(9'996), "10.0 µs");
  EXPECT_EQ(format_duration(99'960), "100 µs");
}

TEST(FormatSpan, ExactAndReadBack) {
  EXPECT_EQ(format_span(1'500'000'000), "1.5s");
  EXPECT_EQ(format_span(10 * kSecond), "10s");
  EXPECT_EQ(format_span(90 * kSecond), "1m30s");
  EXPECT_EQ(format_span(250'000'000), "250ms");
  EXPECT_EQ(format_span(1'250'000), "1.25ms");
  EXPECT_EQ(format_span(1500), "1.5µs");
  EXPECT_EQ(format_span(7), "7ns");
  EXPECT_EQ(format_span(0), "0s");
  EXPECT_EQ(format_span(3600 * kSecond), "1h");
  EXPECT_EQ(format_span(3605 * kSecond), "1h5s");
  EXPECT_EQ(format_span(2 * 86'400 * kSecond), "2d");
  EXPECT_EQ(format_span(-90 * kSecond), "-1m30s");
  for (const int64_t ns : {int64_t{1}, int64_t{999'999}, int64_t{1'000'000'001},
                           int64_t{61'234'567'890}, std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(duration(format_span(ns)), ns) << format_span(ns);
  }
}

TEST(FormatBytes, ThreeDigitsWithoutTrailingZeros) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(998), "998 B");
  EXPECT_EQ(format_bytes(1000), "1 kB");
  EXPECT_EQ(format_bytes(171'000), "171 kB");
  EXPECT_EQ(format_bytes(171'499), "171 kB");
  EXPECT_EQ(format_bytes(2'290'000), "2.29 MB");
  EXPECT_EQ(format_bytes(2'500'000), "2.5 MB");
  EXPECT_EQ(format_bytes(100e9), "100 GB");
  EXPECT_EQ(format_bytes(999'700), "1 MB");
  EXPECT_EQ(format_bytes(0.5), "0.5 B");
  EXPECT_EQ(format_bytes(-2'500'000), "-2.5 MB");
}

TEST(FormatThousands, GroupsOfThree) {
  EXPECT_EQ(format_thousands(0), "0");
  EXPECT_EQ(format_thousands(999), "999");
  EXPECT_EQ(format_thousands(1000), "1,000");
  EXPECT_EQ(format_thousands(20'623), "20,623");
  EXPECT_EQ(format_thousands(123'456), "123,456");
  EXPECT_EQ(format_thousands(std::numeric_limits<uint64_t>::max()), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace carronade::base
