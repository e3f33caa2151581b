#include "stats/histogram_codec.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace carronade::stats {
namespace {

void expect_equal(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.min(), b.min());
  EXPECT_EQ(a.max(), b.max());
  EXPECT_TRUE(a.summary().sum == b.summary().sum);
  EXPECT_TRUE(a.summary().sum_squares == b.summary().sum_squares);
  for (int i = 0; i < Histogram::bucket_count(); ++i) ASSERT_EQ(a.bucket(i), b.bucket(i)) << i;
}

Histogram sample(uint32_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> latency(13, 1);
  Histogram h;
  for (int i = 0; i < 20'000; ++i) h.record(static_cast<int64_t>(latency(random)));
  return h;
}

TEST(HistogramCodec, RoundTrip) {
  const Histogram h = sample(1);
  Histogram decoded;
  ASSERT_TRUE(decode_histogram(encode_histogram(h), decoded));
  expect_equal(decoded, h);
}

TEST(HistogramCodec, RoundTripAtTheEnds) {
  Histogram h;
  h.record(0);
  h.record_many(1, 300);
  h.record_many(std::numeric_limits<int64_t>::max(), 3);  // its square needs 128 bits
  h.record_many(5000, std::numeric_limits<uint64_t>::max() / 2);
  Histogram decoded;
  ASSERT_TRUE(decode_histogram(encode_histogram(h), decoded));
  expect_equal(decoded, h);
}

TEST(HistogramCodec, DecodingAdds) {
  const Histogram a = sample(2);
  const Histogram b = sample(3);
  Histogram both;
  ASSERT_TRUE(decode_histogram(encode_histogram(a), both));
  ASSERT_TRUE(decode_histogram(encode_histogram(b), both));
  Histogram merged = a;
  merged.merge(b);
  expect_equal(both, merged);
}

TEST(HistogramCodec, EmptyIsOneByteOrNone) {
  EXPECT_EQ(encode_histogram(Histogram()), std::string(1, '\0'));
  Histogram decoded;
  EXPECT_TRUE(decode_histogram(encode_histogram(Histogram()), decoded));
  EXPECT_TRUE(decode_histogram("", decoded));
  EXPECT_TRUE(decoded.empty());
}

TEST(HistogramCodec, OneSecondIsCompact) {
  // 20,000 samples over some thousand buckets: about two bytes for each bucket in use.
  const Histogram h = sample(4);
  size_t used = 0;
  for (int i = 0; i < Histogram::bucket_count(); ++i) used += h.bucket(i) > 0 ? 1 : 0;
  EXPECT_LE(encode_histogram(h).size(), 2 * used + 100);
}

TEST(HistogramCodec, RefusesWhatIsCutAndTouchesNothing) {
  Histogram small;
  for (const int64_t value : {3, 3, 700, 1'000'000}) small.record(value);
  const std::string bytes = encode_histogram(small);
  for (size_t size = 1; size < bytes.size(); ++size) {
    Histogram into;
    ASSERT_FALSE(decode_histogram(bytes.substr(0, size), into)) << size;
    expect_equal(into, Histogram());
  }
}

TEST(HistogramCodec, RefusesContradictions) {
  Histogram one;
  one.record(3);
  const std::string bytes = encode_histogram(one);
  // count, min, max, sum, sum of squares, gap, count of the bucket
  ASSERT_EQ(bytes, std::string({1, 3, 3, 3, 9, 3, 1}));
  const auto refused = [](const std::string& changed) {
    Histogram into;
    const bool ok = decode_histogram(changed, into);
    return !ok && into.empty() && into.bucket(3) == 0;
  };
  EXPECT_TRUE(refused({2, 3, 3, 3, 9, 3, 1}));            // counts do not add up
  EXPECT_TRUE(refused({1, 2, 3, 3, 9, 3, 1}));            // min in no used bucket
  EXPECT_TRUE(refused({1, 3, 4, 3, 9, 3, 1}));            // max in no used bucket
  EXPECT_TRUE(refused({1, 3, 3, 3, 9, 3, 1, 0, 0}));      // a used bucket with nothing in it
  EXPECT_TRUE(refused({1, 3, 3, 3, 9}));                  // no bucket
  EXPECT_TRUE(refused({0, 0}));                           // more after an empty one
  EXPECT_TRUE(refused(bytes + std::string(20, '\xff')));  // a varint without an end
  EXPECT_TRUE(refused({2, 3, 3, 3, 9, 3, 1, '\xff', '\xff', '\x7f', 1}));  // bucket too far
}

TEST(HistogramCodec, RandomBytesNeverCrashOrHalfApply) {
  std::mt19937 random(5);
  const std::string good = encode_histogram(sample(6)).substr(0, 400);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = good.substr(0, random() % good.size());
    for (int i = 0; i < 4 && !bytes.empty(); ++i) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    Histogram into;
    if (decode_histogram(bytes, into)) continue;
    ASSERT_TRUE(into.empty());
  }
}

}  // namespace
}  // namespace carronade::stats
