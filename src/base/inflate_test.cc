#include "base/inflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace carronade::base {
namespace {

std::string deflated(const std::string& plain, int window_and_header) {
  z_stream stream{};
  EXPECT_EQ(
      deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window_and_header, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
  std::string input = plain;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr int kGzip = 15 + 16;
constexpr int kZlib = 15;

std::string long_text() {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + ",";
  return text;
}

TEST(Inflate, ReadsGzipAndZlib) {
  for (const int kind : {kGzip, kZlib}) {
    for (const std::string& plain : {std::string(), std::string("hello"), long_text()}) {
      std::string out = "old";
      const auto size = inflate(deflated(plain, kind), out);
      ASSERT_TRUE(size.has_value());
      EXPECT_EQ(*size, plain.size());
      EXPECT_EQ(out, plain);
    }
  }
}

TEST(Inflate, ReadsSeveralMembers) {
  std::string out;
  const auto size = inflate(deflated("one,", kGzip) + deflated("two", kGzip), out);
  ASSERT_TRUE(size.has_value());
  EXPECT_EQ(out, "one,two");
}

TEST(Inflate, KeepsNoMoreThanAsked) {
  std::string out;
  const std::string plain = long_text();
  EXPECT_EQ(inflate(deflated(plain, kGzip), out, 10).value_or(0), plain.size());
  EXPECT_EQ(out, plain.substr(0, 10));
}

// A megabyte that stands for more than anyone wants.
TEST(Inflate, StopsAtABomb) {
  const std::string bomb = deflated(std::string(kMostInflated + 1, '0'), kGzip);
  EXPECT_LT(bomb.size(), size_t{2} << 20);
  std::string out;
  const auto size = inflate(bomb, out, 10);
  ASSERT_FALSE(size.has_value());
  EXPECT_EQ(size.error().text, "more than 256 MiB of plain bytes in it");
  EXPECT_EQ(out, "0000000000");
  EXPECT_TRUE(inflate(bomb, out, 10, BeyondMost::kLeft).has_value());
  EXPECT_EQ(out, "0000000000");
}

TEST(Inflate, TellsWhatIsWrong) {
  std::string out;
  const std::string good = deflated(long_text(), kGzip);
  EXPECT_FALSE(inflate("", out).has_value());
  EXPECT_FALSE(inflate("no gzip at all", out).has_value());
  EXPECT_FALSE(inflate(good.substr(0, good.size() - 4), out).has_value());
  EXPECT_FALSE(inflate(good + "x", out).has_value());
  std::string bad = good;
  bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 1);  // in the checksum
  EXPECT_FALSE(inflate(bad, out).has_value());
  EXPECT_FALSE(inflate(bad, out).error().text.empty());
}

}  // namespace
}  // namespace carronade::base
