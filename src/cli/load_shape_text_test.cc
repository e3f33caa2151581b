#include "cli/load_shape_text.h"

#include <gtest/gtest.h>

#include <fstream>

namespace carronade::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
using Shape = RateSegment::Shape;

// "30s at 100..1,000/s: 100..1000 for 30000000000" a stage.
std::string summary(const Expected<std::vector<RateStage>>& stages) {
  if (!stages) return "error: " + stages.error().text;
  std::string text;
  for (const RateStage& stage : *stages) {
    text += stage.name + ":";
    for (const RateSegment& s : stage.segments) {
      EXPECT_EQ(s.shape, Shape::kLinear);
      char buffer[100];
      std::snprintf(buffer, sizeof buffer, " %g..%g for %gs", s.from, s.to,
                    static_cast<double>(s.duration_ns) / 1e9);
      text += buffer;
    }
    text += '\n';
  }
  return text;
}

TEST(ParseRamp, OneStage) {
  EXPECT_EQ(summary(parse_ramp("10..500/30s")), "30s at 10..500/s: 10..500 for 30s\n");
  EXPECT_EQ(summary(parse_ramp(" 1k .. 0 / 2m ")), "2m at 1,000..0/s: 1000..0 for 120s\n");
  EXPECT_EQ(summary(parse_ramp("30/m..5/s/10s")), "10s at 0.5..5/s: 0.5..5 for 10s\n");
  EXPECT_EQ(summary(parse_ramp("5..5/10")), "10s at 5/s: 5..5 for 10s\n");
}

TEST(ParseRamp, Refuses) {
  const std::string form = " is not a ramp: write for example 10..500/30s";
  for (const char* text : {"", "10", "10..500", "10/30s", "10..500/", "10..500/x", "10..500/0s",
                           "10-500/30s", "10..500/s"}) {
    EXPECT_EQ(summary(parse_ramp(text)), "error: \"" + std::string(text) + "\"" + form) << text;
  }
  EXPECT_EQ(summary(parse_ramp("-1..5/3s")),
            "error: \"-1..5/3s\": \"-1\" is not a rate: write for example 200, 0.5/s, 30/m, 1/10s "
            "or 1k");
  EXPECT_EQ(summary(parse_ramp("1..2G/3s")),
            "error: \"1..2G/3s\": \"2G\" is out of range: a rate is 0 to 10,000,000/s");
  EXPECT_FALSE(parse_ramp("1..nan/3s"));
  EXPECT_FALSE(parse_ramp("../3s"));
  EXPECT_EQ(summary(parse_ramp("0..0/3s")),
            "error: \"0..0/3s\" asks for no request: one rate at least must be above 0");
}

TEST(ParseStages, EachItsOwnStage) {
  const char* const expected =
      "10s at 100/s: 100..100 for 10s\n"
      "30s at 100..1,000/s: 100..1000 for 30s\n"
      "1m at 1,000/s: 1000..1000 for 60s\n"
      "5s at 0/s: 0..0 for 5s\n";
  EXPECT_EQ(summary(parse_stages("10s:100, 30s:100..1000, 1m:1000, 5s:0")), expected);
  EXPECT_EQ(summary(parse_stages("10s:100,30s:100..1000,1m:1000,5s:0")), expected);
  EXPECT_EQ(summary(parse_stages(" 10 : 100/s ,30s : 100 .. 60k/m,60s:1k/s, 5:0")), expected);
}

TEST(ParseStages, Refuses) {
  for (const char* text : {"", "10s", "10s:", ":100", "10s:100,", "10s:100,,5s:3", "10s:100;5s:3",
                           "0s:5", "10s:5..", "10s:a", "10s:-5", "x:5", "10s:1..2..3", "5s:0"}) {
    const auto stages = parse_stages(text);
    ASSERT_FALSE(stages) << text;
    EXPECT_TRUE(stages.error().text.starts_with("\"" + std::string(text) + "\"")) << text;
    EXPECT_EQ(stages.error().text.find('\n'), std::string::npos);
  }
  EXPECT_EQ(summary(parse_stages("10s:1, 5s")),
            "error: \"10s:1, 5s\": \"5s\" is not a stage: write for example 10s:100 or "
            "30s:100..1000");
  EXPECT_EQ(summary(parse_stages("0s:1")),
            "error: \"0s:1\": \"0s\" is no time at all: it must be longer than 0");
}

TEST(ParseStep, UpAndDownToTheLast) {
  EXPECT_EQ(summary(parse_step("100..300:100/10s")),
            "10s at 100/s: 100..100 for 10s\n"
            "10s at 200/s: 200..200 for 10s\n"
            "10s at 300/s: 300..300 for 10s\n");
  EXPECT_EQ(summary(parse_step(" 2k .. 1k : 500 / 1m ")),
            "1m at 2,000/s: 2000..2000 for 60s\n"
            "1m at 1,500/s: 1500..1500 for 60s\n"
            "1m at 1,000/s: 1000..1000 for 60s\n");
  // The last step is a smaller one.
  EXPECT_EQ(summary(parse_step("10..25:10/1s")),
            "1s at 10/s: 10..10 for 1s\n1s at 20/s: 20..20 for 1s\n1s at 25/s: 25..25 for 1s\n");
  EXPECT_EQ(summary(parse_step("5..5:1/1s")), "1s at 5/s: 5..5 for 1s\n");
  const auto tenths = parse_step("0.1..0.4:0.1/10s");
  ASSERT_TRUE(tenths);
  EXPECT_EQ(tenths->size(), 4U);
  EXPECT_EQ(tenths->back().segments[0].from, 0.4);
  EXPECT_EQ(summary(parse_step("30/m..60/m:30/m/10s")),
            "10s at 0.5/s: 0.5..0.5 for 10s\n10s at 1/s: 1..1 for 10s\n");
}

TEST(ParseStep, Refuses) {
  for (const char* text :
       {"", "100..500/10s", "100:100/10s", "100..500:100", "100..500:0/10s", "100..500:-1/10s",
        "a..5:1/1s", "100..500:1/0s", "100..500:100/x", "0..100000:1/1s", "0..0:1/1s"}) {
    const auto stages = parse_step(text);
    ASSERT_FALSE(stages) << text;
    EXPECT_TRUE(stages.error().text.starts_with("\"" + std::string(text) + "\"")) << text;
  }
  EXPECT_EQ(parse_step("0..99:1/1s").value().size(), 100U);
  EXPECT_FALSE(parse_step("0..100:1/1s"));
}

TEST(ParseSine, BeginsAtTheLeast) {
  const auto stages = parse_sine("100..300/20s");
  ASSERT_TRUE(stages);
  ASSERT_EQ(stages->size(), 1U);
  EXPECT_EQ((*stages)[0].name, "sine of 100..300/s every 20s");
  ASSERT_EQ((*stages)[0].segments.size(), 1U);
  const RateSegment& segment = (*stages)[0].segments[0];
  EXPECT_EQ(segment.shape, Shape::kSine);
  EXPECT_EQ(segment.from, 100);
  EXPECT_EQ(segment.to, 300);
  EXPECT_EQ(segment.period_ns, 20 * kSecond);
  EXPECT_EQ(segment.duration_ns, RateSegment::kEndless);
  EXPECT_EQ(parse_sine("300..100/20s").error().text,
            "\"300..100/20s\": the lower rate comes first, as in 100..300/20s");
  EXPECT_EQ(parse_sine("100/20s").error().text,
            "\"100/20s\" is not a sine: write for example 100..300/20s");
  EXPECT_FALSE(parse_sine("100..300"));
  EXPECT_FALSE(parse_sine("100..300/0s"));
  EXPECT_FALSE(parse_sine("0..0/5s"));
}

class RateFile : public testing::Test {
 protected:
  Expected<std::vector<RateStage>> read(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return read_rate_file(path_);
  }
  // Without the path.
  std::string error(const std::string& content) {
    const auto stages = read(content);
    if (stages) return "no error";
    EXPECT_TRUE(stages.error().text.starts_with(path_ + ":")) << stages.error().text;
    return stages.error().text.substr(path_.size());
  }
  void TearDown() override { std::remove(path_.c_str()); }
  std::string path_ = testing::TempDir() + "carronade_rate_file_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(RateFile, LinearBetweenTheLines) {
  const std::string named = "rates of " + path_ + ":";
  EXPECT_EQ(summary(read("0,10\n10,20\n30s, 1k\n")), named + " 10..20 for 10s 20..1000 for 20s\n");
  // A header, comments, blank lines, CRLF, units, no newline at the end, a mark in front.
  EXPECT_EQ(summary(read("\xef\xbb\xbftime,rate\r\n\r\n# morning\r\n0s,60/m # slow\r\n 1m , 2/s")),
            named + " 1..2 for 60s\n");
  EXPECT_EQ(summary(read("# first\nTime, Rate\n0,1\n1,1\n")), named + " 1..1 for 1s\n");
}

TEST_F(RateFile, StepsAndTheFirstTime) {
  const std::string named = "rates of " + path_ + ":";
  EXPECT_EQ(summary(read("0,10\n5,10\n5,50\n10,50\n")), named + " 10..10 for 5s 50..50 for 5s\n");
  EXPECT_EQ(summary(read("10,100\n20,200\n")), named + " 100..100 for 10s 100..200 for 10s\n");
  EXPECT_EQ(summary(read("10,100\n")), named + " 100..100 for 10s\n");
  EXPECT_EQ(summary(read("0,1\n0,5\n2,5\n")), named + " 5..5 for 2s\n");
}

TEST_F(RateFile, ErrorsNameFileAndLine) {
  EXPECT_EQ(error(""), ": no rate in it: write lines of time,rate, as in 10s,200");
  EXPECT_EQ(error("# only\ntime,rate\n"),
            ": no rate in it: write lines of time,rate, as in 10s,200");
  EXPECT_EQ(error("0,1\n10s,5\n9s,5\n"),
            ":3: 9s is before the 10s of the line above: sort the lines");
  EXPECT_EQ(error("0,1\n\n10s;5\n"),
            ":3: \"10s;5\" is not a time and a rate: write for example 10s,200");
  EXPECT_EQ(error("0,1\n1s,-5\n"),
            ":2: \"-5\" is not a rate: write for example 200, 0.5/s, 30/m, 1/10s or 1k");
  EXPECT_EQ(error("0,1\ntime,rate\n"),
            ":2: \"time\" is not a duration: write for example 250us, 20ms, 1.5s, 1m30s or 1h");
  EXPECT_TRUE(error("time,rate\ntime,rate\n").starts_with(":2: ")) << "one header is enough";
  EXPECT_TRUE(error("1x,5\n2,5\n").starts_with(":1: ")) << "a slip is no header";
  EXPECT_TRUE(error("0,1,2\n").starts_with(":1: \"1,2\""));
  EXPECT_EQ(error("0,5\n"), ": all its times are 0: the last one says when the load ends");
  EXPECT_TRUE(read("0,0\n5,0\n").error().text.starts_with(path_ + " asks for no request"));
  const auto missing = read_rate_file("/nonexistent/rates.csv");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text.find("/nonexistent/rates.csv"), std::string::npos);
}

TEST(ParseStagesConnections, Counts) {
  const auto stages = parse_stages_connections("10s:10..200, 30s:1k");
  ASSERT_TRUE(stages);
  ASSERT_EQ(stages->size(), 2U);
  EXPECT_EQ((*stages)[0].from, 10U);
  EXPECT_EQ((*stages)[0].to, 200U);
  EXPECT_EQ((*stages)[0].duration_ns, 10 * kSecond);
  EXPECT_EQ((*stages)[1].from, 1000U);
  EXPECT_EQ((*stages)[1].to, 1000U);
  EXPECT_EQ((*stages)[1].duration_ns, 30 * kSecond);
  for (const char* text : {"", "10s", "10s:1.5", "10s:-1", "10s:10/s", "10s:1..", "0s:5", "10s:0",
                           "10s:1000001", "10s:5,"}) {
    const auto refused = parse_stages_connections(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_TRUE(refused.error().text.starts_with("\"" + std::string(text) + "\"")) << text;
  }
}

TEST(ParseArrivals, BurstsHaveALimit) {
  EXPECT_EQ(parse_arrivals("burst:1M").value().burst, 1'000'000U);
  for (const char* text : {"burst:0", "burst:1000001", "burst:5000000000"}) {
    EXPECT_EQ(parse_arrivals(text).error().text,
              "\"" + std::string(text) + "\": a burst has from 1 to 1,000,000 requests");
  }
}

TEST(ParseArrivals, Kinds) {
  EXPECT_EQ(parse_arrivals("even").value().arrivals, Arrivals::kEven);
  EXPECT_EQ(parse_arrivals("poisson").value().arrivals, Arrivals::kPoisson);
  EXPECT_EQ(parse_arrivals("jitter").value().arrivals, Arrivals::kJitter);
  EXPECT_EQ(parse_arrivals("even").value().burst, 1U);
  EXPECT_EQ(parse_arrivals("burst:10").value().arrivals, Arrivals::kBurst);
  EXPECT_EQ(parse_arrivals("burst:10").value().burst, 10U);
  for (const char* text :
       {"", "Even", "burst", "burst:", "burst:-1", "burst:1.5", "even:3", "random"}) {
    const auto refused = parse_arrivals(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().text, "\"" + std::string(text) +
                                        "\" is no kind of arrivals: write even, poisson, jitter "
                                        "or burst:10");
  }
}

TEST(RateText, DigitsThatMatter) {
  EXPECT_EQ(rate_text(200), "200/s");
  EXPECT_EQ(rate_text(0.5), "0.5/s");
  EXPECT_EQ(rate_text(0), "0/s");
  EXPECT_EQ(rate_text(1000), "1,000/s");
  EXPECT_EQ(rate_text(1e9), "1,000,000,000/s");
  EXPECT_EQ(rate_text(5.0 / 3), "1.66667/s");
  EXPECT_EQ(rate_text(1234.5), "1,234.5/s");
  EXPECT_EQ(rate_text(123'456.7), "123,457/s");
  EXPECT_EQ(rate_text(999'999.7), "1,000,000/s");
  EXPECT_EQ(rate_text(0.1), "0.1/s");
  EXPECT_EQ(rate_text(0.99999999), "1/s");
  EXPECT_EQ(rate_text(1.0 / 86'400), "0.0000115741/s");
}

}  // namespace
}  // namespace carronade::cli
