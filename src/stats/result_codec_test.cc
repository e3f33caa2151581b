#include "carronade/result_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "stats/result_equal_test_support.h"
#include "stats/result_test_support.h"

namespace carronade {
namespace {

// Whether the fields follow each other through the whole struct, with no room for one that was
// left out: each begins where the one before it ends, as its alignment wants it.
template <class T>
bool every_byte_is_a_fields() {
  const T value{};
  size_t end = 0;
  bool gapless = true;
  const auto visit = [&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const auto at = static_cast<size_t>(reinterpret_cast<const char*>(&field) -
                                        reinterpret_cast<const char*>(&value));
    gapless = gapless && at == (end + alignof(Field) - 1) / alignof(Field) * alignof(Field);
    end = at + sizeof(Field);
  };
  std::apply([&](const auto&... field) { (visit(field), ...); }, stats::fields_of(value));
  return gapless && (end + alignof(T) - 1) / alignof(T) * alignof(T) == sizeof(T);
}

TEST(ResultFields, NoneIsForgotten) {
  EXPECT_TRUE(every_byte_is_a_fields<ErrorCount>());
  EXPECT_TRUE(every_byte_is_a_fields<Window>());
  EXPECT_TRUE(every_byte_is_a_fields<Interval>());
  EXPECT_TRUE(every_byte_is_a_fields<StageResult>());
  EXPECT_TRUE(every_byte_is_a_fields<RateResult>());
  EXPECT_TRUE(every_byte_is_a_fields<WebSocketResult>());
  EXPECT_TRUE(every_byte_is_a_fields<WarmupResult>());
  EXPECT_TRUE(every_byte_is_a_fields<WorkerHealth>());
  EXPECT_TRUE(every_byte_is_a_fields<HostHealth>());
  EXPECT_TRUE(every_byte_is_a_fields<RunResult>());
}

void expect_round_trip(const RunResult& result) {
  const std::string bytes = encode_result(result);
  const Expected<RunResult> decoded = decode_result(bytes);
  ASSERT_TRUE(decoded) << decoded.error().text;
  EXPECT_EQ(stats::first_difference(*decoded, result), -1) << "field of RunResult, from 0";
  EXPECT_EQ(encode_result(*decoded), bytes);
}

TEST(ResultCodec, RoundTripOfNothing) { expect_round_trip(RunResult()); }

TEST(ResultCodec, RoundTripOfEveryField) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    expect_round_trip(stats::RandomResult(seed).make());
  }
}

TEST(ResultCodec, RoundTripAtTheEnds) {
  RunResult result;
  result.stopped_by = StoppedBy::kUnresolved;
  result.sent = UINT64_MAX;
  result.by_status[999] = UINT64_MAX;
  result.host.cores = INT64_MIN;
  result.host.descriptors = INT64_MAX;
  result.errors = {
      {ErrorKind::kMalformedFrame, Phase::kUpgrade, std::string("a\0\n\xff", 4), 1, 0}};
  result.addresses = {"", std::string(100'000, 'a')};
  result.latency.record_many(INT64_MAX, 3);
  result.websocket.emplace().closes_by_code = {{0, 1}, {UINT16_MAX, UINT64_MAX}};
  expect_round_trip(result);
}

TEST(ResultCodec, BeginsWithItsNameAndVersion) {
  EXPECT_EQ(encode_result(RunResult()).substr(0, 19), "carronade-result 3\n");
}

std::string error_of(std::string_view bytes) {
  const Expected<RunResult> decoded = decode_result(bytes);
  return decoded ? "none" : decoded.error().text;
}

TEST(ResultCodec, RefusesForeignBytes) {
  const std::string foreign =
      "result: these bytes are not a result of carronade (they do not begin with "
      "\"carronade-result\")";
  EXPECT_EQ(error_of(""), foreign);
  EXPECT_EQ(error_of("{\"url\":\"http://localhost\"}"), foreign);
  EXPECT_EQ(error_of("carronade-resul"), foreign);
  const std::string no_version =
      "result: these bytes are not a result of carronade (their first line names no version)";
  EXPECT_EQ(error_of("carronade-result one\n"), no_version);
  EXPECT_EQ(error_of("carronade-result \n"), no_version);
  EXPECT_EQ(error_of("carronade-result 12345678901\n"), no_version);
}

TEST(ResultCodec, RefusesOtherVersions) {
  std::string bytes = encode_result(RunResult());
  bytes[17] = '2';
  EXPECT_EQ(error_of(bytes),
            "result: written in version 2 of the form, and this carronade reads 3: use the "
            "carronade that wrote it");
  EXPECT_NE(error_of("carronade-result 01\n"), "none");
}

TEST(ResultCodec, RefusesEveryCut) {
  const std::string bytes = encode_result(stats::RandomResult(30).make());
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
    EXPECT_FALSE(decode_result(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_result(std::string_view(bytes).substr(0, bytes.size() - 1)));
  EXPECT_EQ(error_of(bytes.substr(0, 17)),
            "result: cut off in its first line: it has to be written again");
  EXPECT_EQ(error_of(bytes.substr(0, 19)),
            "result: damaged or cut off at byte 19 of 19: it has to be written again");
  EXPECT_EQ(error_of(bytes + "abc"),
            "result: 3 bytes follow behind its end: it has to be written again");
}

TEST(ResultCodec, RefusesMoreHistogramsThanItHasRoomFor) {
  const std::string none = encode_result(RunResult());
  RunResult result;
  result.workers.resize(1);
  const std::string one = encode_result(result);
  const size_t host_size = 8;  // numbers of one byte each
  const std::string host = none.substr(none.size() - host_size);
  const std::string before = none.substr(0, none.size() - host_size - 1);
  const std::string worker = one.substr(before.size() + 1, one.size() - none.size());
  ASSERT_EQ(before + '\1' + worker + host, one);
  std::string many = before + "\x81\x10";  // 2,049
  for (int i = 0; i < 2'049; ++i) many += worker;
  EXPECT_NE(error_of(many + host), "none");
}

TEST(ResultCodec, RefusesAListLongerThanItsBytes) {
  const std::string none = encode_result(RunResult());
  RunResult result;
  result.samples.resize(1);
  const std::string one = encode_result(result);
  const auto at = std::mismatch(none.begin(), none.end(), one.begin()).first - none.begin();
  std::string endless = none;
  endless.replace(static_cast<size_t>(at), 1, "\x80\x80\x80\x80\x80\x80\x80\x80\x10");  // 2^60
  EXPECT_NE(error_of(endless), "none");
}

// Codes ascend and have 16 bits, so that equal results have equal bytes.
TEST(ResultCodec, RefusesCodesThatCannotBe) {
  RunResult result;
  const auto spoilt = [&result](std::string_view from, std::string_view to) {
    std::string bytes = encode_result(result);
    const size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos);
    return error_of(bytes.replace(at, from.size(), to));
  };
  result.websocket.emplace().closes_by_code = {{60, 71}, {61, 72}};
  EXPECT_EQ(spoilt("\x3c\x47\x3d\x48", "\x3c\x47\x3d\x48"), "none");
  EXPECT_NE(spoilt("\x3c\x47\x3d\x48", "\x3d\x47\x3c\x48"), "none");
  EXPECT_NE(spoilt("\x3c\x47\x3d\x48", "\x3d\x47\x3d\x48"), "none");
  EXPECT_NE(spoilt("\x3c\x47\x3d\x48", "\x3c\x47\x80\x80\x04\x48"), "none");  // 65,536
  EXPECT_EQ(spoilt("\x3c\x47\x3d\x48", "\x3c\x47\xff\xff\x03\x48"), "none");
}

TEST(ResultCodec, RefusesTimesThatMakeNoSense) {
  const auto refused = [](auto spoil) {
    RunResult result = stats::RandomResult(40).make();
    spoil(result);
    return error_of(encode_result(result)) ==
           "result: damaged, its times make no sense: it has to be written again";
  };
  EXPECT_TRUE(refused([](RunResult& r) { r.start_unix_ns = -1; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.elapsed_ns = INT64_MAX; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.sample_interval_ns = 0; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.samples[1].start_ns = 0; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.series[0].width_ns = -1; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.intervals[1].start_ns = 0; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.intervals[0].latency = "no histogram"; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.rate->load_ns = -1; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.rate->stages[1].width_ns = INT64_MIN; }));
  EXPECT_TRUE(refused([](RunResult& r) { r.warmup->width_ns = INT64_MAX; }));
  EXPECT_FALSE(refused([](RunResult&) {}));
}

TEST(ResultCodec, ChangedBytesNeverCrash) {
  std::mt19937 random(5);
  const std::string good = encode_result(stats::RandomResult(50).make());
  int decoded = 0;
  for (int round = 0; round < 100; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i)
      bytes[19 + random() % (good.size() - 19)] = static_cast<char>(random());
    if (const Expected<RunResult> result = decode_result(bytes)) {
      ++decoded;
      EXPECT_TRUE(decode_result(encode_result(*result)));
      merge_results({*result, *result});
    }
  }
  EXPECT_GT(decoded, 0);
}

}  // namespace
}  // namespace carronade
