#include "report/hdr_log.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "carronade/result_document.h"
#include "report/hdr_encoding.h"
#include "stats/histogram_codec.h"

namespace carronade::report {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1'000 * kMs;

std::string from_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<uint32_t>(kAlphabet.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(static_cast<uint8_t>(bits >> have));
  }
  return out;
}

uint64_t big_endian(std::string_view bytes, size_t at, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < size; ++i) number = number << 8 | static_cast<uint8_t>(bytes.at(at + i));
  return number;
}

// The encoded histogram behind the base64 of a line, "" when it is none.
std::string inflated(std::string_view base64) {
  const std::string bytes = from_base64(base64);
  if (big_endian(bytes, 0, 4) != 0x1c849314 || big_endian(bytes, 4, 4) != bytes.size() - 8) {
    return "";
  }
  std::string out(1 << 20, '\0');
  uLongf size = out.size();
  const int code = uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                              reinterpret_cast<const Bytef*>(bytes.data()) + 8, bytes.size() - 8);
  out.resize(code == Z_OK ? size : 0);
  return out;
}

// {index: count} as a reader of the format finds them: negative numbers skip that many.
std::map<int64_t, int64_t> counts_of(std::string_view encoded) {
  std::map<int64_t, int64_t> counts;
  int64_t index = 0;
  for (size_t at = 40; at < encoded.size();) {
    uint64_t zigzag = 0;
    for (int bytes = 0; bytes < 9; ++bytes) {
      const uint64_t byte = static_cast<uint8_t>(encoded.at(at++));
      zigzag |= (bytes < 8 ? byte & 0x7f : byte) << (7 * bytes);
      if (byte < 0x80) break;
    }
    const auto number = static_cast<int64_t>(zigzag >> 1 ^ (0 - (zigzag & 1)));
    if (number < 0) {
      index -= number;
    } else {
      if (number > 0) counts[index] = number;
      ++index;
    }
  }
  return counts;
}

std::map<int64_t, int64_t> counts_of(const Histogram& histogram) {
  std::map<int64_t, int64_t> counts;
  for (int i = 0; i < Histogram::bucket_count(); ++i) {
    if (histogram.bucket(i) > 0) counts[i] = static_cast<int64_t>(histogram.bucket(i));
  }
  return counts;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The lines below the head, without the histogram: "Tag=warmup,0.000,1.000,5.000".
std::vector<std::string> line_heads(const std::string& text) {
  std::vector<std::string> heads;
  for (const std::string& line : lines_of(text)) {
    if (line[0] != '#' && line[0] != '"') heads.push_back(line.substr(0, line.rfind(',')));
  }
  return heads;
}

Interval interval(int64_t start_ns, int64_t width_ns, int64_t latency_ns) {
  Histogram histogram;
  if (latency_ns > 0) histogram.record(latency_ns);
  return {start_ns, width_ns, stats::encode_histogram(histogram), ""};
}

RunResult run_of_tenths(int tenths) {
  RunResult result;
  for (int i = 0; i < tenths; ++i) {
    result.intervals.push_back(interval(i * 100 * kMs, 100 * kMs, (i + 1) * kMs));
  }
  return result;
}

TEST(HdrEncoding, HasTheHeadThatReadersMakeTheirArrayFrom) {
  const std::string bytes = hdr_encoded(Histogram());
  EXPECT_EQ(big_endian(bytes, 0, 4), 0x1c849313U);
  EXPECT_EQ(big_endian(bytes, 4, 4), bytes.size() - 40);
  EXPECT_EQ(big_endian(bytes, 8, 4), 0U);
  EXPECT_EQ(big_endian(bytes, 12, 4), 3U);
  EXPECT_EQ(big_endian(bytes, 16, 8), 1U);
  EXPECT_EQ(big_endian(bytes, 24, 8), 3'600'000'000'000U);
  EXPECT_EQ(bytes.substr(40), std::string(1, '\0'));
}

// As HdrHistogram's own encoders give it for these values: zeros of one, of several, and at the
// front; a count of more than one byte.
TEST(HdrEncoding, WritesCountsAndRunsOfZeros) {
  Histogram histogram;
  histogram.record(1);
  histogram.record_many(3, 64);
  histogram.record(10);
  EXPECT_EQ(hdr_encoded(histogram).substr(40), std::string("\x00\x02\x00\x80\x01\x0b\x02", 7));
}

TEST(HdrEncoding, KeepsEachCountOfTheWholeRange) {
  Histogram histogram;
  for (int64_t value = 1; value < 4'000'000'000'000; value = value * 3 / 2 + 1) {
    histogram.record_many(value, static_cast<uint64_t>(value));
  }
  histogram.record_many(5, uint64_t{1} << 62);  // fills nine bytes
  EXPECT_EQ(counts_of(hdr_encoded(histogram)), counts_of(histogram));
  EXPECT_EQ(counts_of(inflated(hdr_base64(histogram))), counts_of(histogram));
  EXPECT_EQ(hdr_base64(histogram).substr(0, 8), "HISTFAAA");
}

TEST(HdrLog, HasTheHeadOfFormat13) {
  RunResult result;
  result.start_unix_ns = 1'441'812'279'474'000'000;
  const std::vector<std::string> lines = lines_of(hdr_log_text(result));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "#[Histogram log format version 1.3]");
  EXPECT_EQ(lines[2], "#[BaseTime: 1441812279.474 (seconds since epoch)]");
  EXPECT_EQ(lines[3],
            "#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 15:24:39 UTC 2015]");
  EXPECT_EQ(lines[4],
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
            "\"Interval_Compressed_Histogram\"");
}

TEST(HdrLog, HasOneLineASecondAndLosesNothing) {
  const RunResult result = run_of_tenths(23);
  const std::string text = hdr_log_text(result);
  EXPECT_EQ(line_heads(text), (std::vector<std::string>{"0.000,1.000,10.000", "1.000,1.000,20.000",
                                                        "2.000,0.300,23.000"}));
  std::map<int64_t, int64_t> all;
  for (const std::string& line : lines_of(text)) {
    if (line[0] == '#' || line[0] == '"') continue;
    for (const auto& [i, count] : counts_of(inflated(line.substr(line.rfind(',') + 1)))) {
      all[i] += count;
    }
  }
  Histogram wanted;
  for (int i = 1; i <= 23; ++i) wanted.record(i * kMs);
  EXPECT_EQ(all, counts_of(wanted));
}

TEST(HdrLog, KeepsIntervalsOfASecondAndLongerAndThoseWithoutAnswers) {
  RunResult result;
  result.intervals = {interval(0, kSecond, 4 * kMs), interval(kSecond, kSecond, 0),
                      interval(2 * kSecond, 3 * kSecond, 7 * kMs)};
  EXPECT_EQ(
      line_heads(hdr_log_text(result)),
      (std::vector<std::string>{"0.000,1.000,4.000", "1.000,1.000,0.000", "2.000,3.000,7.000"}));
}

TEST(HdrLog, EndsALineWhereTheWarmupEnds) {
  RunResult result = run_of_tenths(20);
  result.warmup.emplace();
  result.warmup->width_ns = 500 * kMs;
  EXPECT_EQ(line_heads(hdr_log_text(result)),
            (std::vector<std::string>{"Tag=warmup,0.000,0.500,5.000", "0.500,1.000,15.000",
                                      "1.500,0.500,20.000"}));
}

TEST(HdrLog, TagsTheLinesOfAWarmupRunOfItsOwn) {
  RunResult warmup = run_of_tenths(10);
  warmup.start_unix_ns = 50 * kSecond;
  RunResult result = run_of_tenths(5);
  result.start_unix_ns = 52 * kSecond;
  const std::string text = hdr_log_text(result, &warmup);
  EXPECT_EQ(line_heads(text),
            (std::vector<std::string>{"Tag=warmup,0.000,1.000,10.000", "2.000,0.500,5.000"}));
  EXPECT_NE(text.find("#[BaseTime: 50.000 "), std::string::npos) << text;
}

TEST(HdrLog, TagsStagesByNumberAndSafeName) {
  RunResult result = run_of_tenths(14);
  result.rate.emplace();
  result.rate->stages.resize(2);
  result.rate->stages[0].name = "600ms, at 5 → 9/s";
  result.rate->stages[1].name = "1s\tat\n9/s";
  result.rate->stages[1].start_ns = 600 * kMs;
  // The last tenths are after the end of the last stage: answers to its requests.
  result.rate->stages[1].width_ns = 200 * kMs;
  EXPECT_EQ(line_heads(hdr_log_text(result)),
            (std::vector<std::string>{"Tag=1:600ms_at_5_9/s,0.000,0.600,6.000",
                                      "Tag=2:1s_at_9/s,0.600,0.800,14.000"}));
}

TEST(HdrLog, HasNoTagsForOneStage) {
  RunResult result = run_of_tenths(3);
  result.rate.emplace();
  EXPECT_EQ(line_heads(hdr_log_text(result)), (std::vector<std::string>{"0.000,0.300,3.000"}));
}

// Four values, so that every row can be checked by hand.
TEST(HgrmText, IsThePercentileTable) {
  Histogram histogram;
  for (const int64_t value : {1 * kMs, 2 * kMs, 3 * kMs, 4 * kMs}) histogram.record(value);
  EXPECT_EQ(hgrm_text(histogram),
            "       Value     Percentile TotalCount 1/(1-Percentile)\n"
            "\n"
            "       1.000 0.000000000000          1           1.00\n"
            "       1.000 0.100000000000          1           1.11\n"
            "       1.000 0.200000000000          1           1.25\n"
            "       2.001 0.300000000000          2           1.43\n"
            "       2.001 0.400000000000          2           1.67\n"
            "       2.001 0.500000000000          2           2.00\n"
            "       3.000 0.550000000000          3           2.22\n"
            "       3.000 0.600000000000          3           2.50\n"
            "       3.000 0.650000000000          3           2.86\n"
            "       3.000 0.700000000000          3           3.33\n"
            "       3.000 0.750000000000          3           4.00\n"
            "       4.000 0.775000000000          4           4.44\n"
            "       4.000 1.000000000000          4\n"
            "#[Mean    =        2.500, StdDeviation   =        1.118]\n"
            "#[Max     =        4.000, Total count    =            4]\n"
            "#[Buckets =           32, SubBuckets     =         2048]\n");
}

TEST(HgrmText, HasNoRowsWithoutSamples) {
  const std::vector<std::string> lines = lines_of(hgrm_text(Histogram()));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[3], "#[Max     =        0.000, Total count    =            0]");
}

}  // namespace
}  // namespace carronade::report
