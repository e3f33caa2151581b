#include "dialects/vegeta/vegeta_attack_records.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "base/text.h"
#include "dialects/vegeta/vegeta_decoders.h"

namespace carronade::dialects::vegeta {
namespace {

// A thousand times "p", as gzip packs it.
constexpr std::string_view kPacked(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x28\x18\x05\xa3\x60\x14\x0c\x77\x00"
    "\x00\xc6\x77\x1f\xe4\xe8\x03\x00\x00",
    29);

// What the writer makes of an outcome, read back from the file that it wrote.
Result written(const Outcome& outcome, int64_t max_body = -1) {
  cli::RecordQueue queue(1 << 20);
  RecordLosses losses;
  push_outcome(outcome, queue, losses);
  std::string message;
  EXPECT_TRUE(queue.pop(message));
  const std::string path = ::testing::TempDir() + "vegeta_attack_records";
  {
    ResultStream stream(*ResultOutput::open(path),
                        {.attack_name = "name", .max_body = max_body, .zone_minutes = 60});
    EXPECT_TRUE(stream.consume(message).has_value());
    EXPECT_TRUE(stream.flush().has_value());
  }
  ResultInput input(base::read_file(path).value_or(""));
  ::unlink(path.c_str());
  const auto decoder = make_decoder(Encoding::kGob, input, Detail::kAll);
  Result result;
  EXPECT_TRUE(decoder->next(result).value_or(false));
  return result;
}

Outcome answer(std::string_view head, std::string_view body, uint16_t code = 200) {
  return {.seq = 3,
          .timestamp_unix_ns = 1'700'000'000'000'000'001,
          .latency_ns = 5,
          .bytes_out = 6,
          .bytes_in = body.size(),
          .code = code,
          .may_inflate = true,
          .method = "GET",
          .url = "http://h/",
          .head = head,
          .body = body,
          .has_body = !body.empty()};
}

std::string headers_of(const Result& result) {
  std::string text;
  for (const Header& header : result.headers) text += header.name + ": " + header.value + "|";
  return text;
}

TEST(VegetaAttackRecords, CarryAnAnswer) {
  const Result result = written(answer(
      "HTTP/1.1 200 OK\r\nx-fOO: a\r\nContent-Length: 2\r\nX-Foo: b\r\nConnection: close\r\n\r\n",
      "hi"));
  EXPECT_EQ(result.attack, "name");
  EXPECT_EQ(result.seq, 3U);
  EXPECT_EQ(result.code, 200);
  EXPECT_EQ(result.timestamp_unix_ns, 1'700'000'000'000'000'001);
  EXPECT_EQ(result.zone_minutes, 60);
  EXPECT_EQ(result.latency_ns, 5);
  EXPECT_EQ(result.bytes_out, 6U);
  EXPECT_EQ(result.bytes_in, 2U);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.body, "hi");
  EXPECT_EQ(result.method, "GET");
  EXPECT_EQ(result.url, "http://h/");
  EXPECT_EQ(headers_of(result), "Content-Length: 2|X-Foo: a|X-Foo: b|");
}

TEST(VegetaAttackRecords, CarryAFailure) {
  const Result result = written({.method = "GET", .url = "u", .error = "EOF"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.error, "EOF");
  EXPECT_FALSE(result.has_headers);
}

TEST(VegetaAttackRecords, HaveTheStatusAsErrorWhenItIsOne) {
  EXPECT_EQ(written(answer("HTTP/1.1 404 Not Found\r\n\r\n", "", 404)).error, "404 Not Found");
  EXPECT_EQ(written(answer("HTTP/1.1 500\r\n\r\n", "", 500)).error, "500");
  EXPECT_EQ(written(answer("HTTP/1.1 302 Found\r\n\r\n", "", 302)).error, "");
}

TEST(VegetaAttackRecords, Inflate) {
  const std::string plain(1000, 'p');
  const std::string coded(kPacked);
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\nVary: x\r\n\r\n";
  const Result whole = written(answer(head, coded));
  EXPECT_EQ(whole.body, plain);
  EXPECT_EQ(whole.bytes_in, 1000U);
  EXPECT_EQ(headers_of(whole), "Vary: x|");
  const Result part = written(answer(head, coded), 7);
  EXPECT_EQ(part.body, plain.substr(0, 7));
  EXPECT_EQ(part.bytes_in, 1000U);
  Outcome asked = answer(head, coded);
  asked.may_inflate = false;  // the target asked for it, not we
  EXPECT_EQ(written(asked).body, coded);
  const Result bad = written(answer(head, "no gzip at all, in no way"));
  EXPECT_EQ(bad.code, 0);
  EXPECT_EQ(bad.error, "gzip: invalid header");
}

TEST(VegetaAttackRecords, KeepOnlySoMuchOfABody) {
  const std::string head = "HTTP/1.1 200 OK\r\n\r\n";
  EXPECT_EQ(written(answer(head, "hello"), 2).body, "he");
  EXPECT_EQ(written(answer(head, "hello"), 2).bytes_in, 5U);
  EXPECT_EQ(written(answer(head, "hello"), 0).body, "");
}

TEST(VegetaAttackRecords, GoWithoutABodyThatFindsNoRoom) {
  cli::RecordQueue queue(1024);
  RecordLosses losses;
  const std::string big(2000, 'b');
  push_outcome(answer("HTTP/1.1 200 OK\r\n\r\n", big), queue, losses);
  EXPECT_EQ(losses.without_body.load(), 1U);
  EXPECT_EQ(queue.lost() - losses.tried_twice.load(), 0U);
  std::string message;
  EXPECT_TRUE(queue.pop(message));
  const std::string big_head = "HTTP/1.1 200 OK\r\nK: " + big + "\r\n\r\n";
  push_outcome(answer(big_head, big), queue, losses);
  EXPECT_EQ(losses.without_body.load(), 1U);
  EXPECT_EQ(queue.lost() - losses.tried_twice.load(), 1U);
  EXPECT_FALSE(queue.pop(message));
}

TEST(VegetaAttackRecords, TellThatTheyCannotBeWritten) {
  cli::RecordQueue queue(1 << 20);
  RecordLosses losses;
  push_outcome(answer("HTTP/1.1 200 OK\r\n\r\n", "hi"), queue, losses);
  std::string message;
  ASSERT_TRUE(queue.pop(message));
  ResultStream stream(*ResultOutput::open("/dev/full"), {});
  EXPECT_TRUE(stream.consume(message).has_value());
  EXPECT_FALSE(stream.failed());
  EXPECT_FALSE(stream.flush().has_value());
  EXPECT_TRUE(stream.failed());
}

}  // namespace
}  // namespace carronade::dialects::vegeta
