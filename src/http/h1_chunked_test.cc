#include "http/h1_chunked.h"

#include <gtest/gtest.h>

#include <string>

namespace carronade::http {
namespace {

TEST(ChunkReader, HandsOutDataInPlace) {
  const std::string bytes = "5\r\nhello\r\n0\r\n";
  ChunkReader reader;
  std::string_view rest = bytes;
  std::string data;
  bool last = false;
  while (!last) {
    ASSERT_FALSE(rest.empty());
    const ChunkReader::Step step = reader.step(rest);
    ASSERT_EQ(step.fault, nullptr);
    if (!step.data.empty()) {
      EXPECT_EQ(step.data.data(), bytes.data() + 3);
    }
    data += step.data;
    last = step.last;
    rest.remove_prefix(step.used);
  }
  EXPECT_EQ(data, "hello");
  EXPECT_TRUE(rest.empty());
}

TEST(ChunkReader, DataLeftCountsThePresentChunkOnly) {
  ChunkReader reader;
  EXPECT_EQ(reader.data_left(), 0U);
  EXPECT_EQ(reader.step("a").used, 1U);
  EXPECT_EQ(reader.data_left(), 0U);  // more digits may come
  EXPECT_EQ(reader.step("0\r\n").used, 3U);
  EXPECT_EQ(reader.data_left(), 160U);
  reader.skip_data(100);
  EXPECT_EQ(reader.data_left(), 60U);
  EXPECT_EQ(reader.step(std::string(100, 'x')).data.size(), 60U);
  EXPECT_EQ(reader.data_left(), 0U);
  EXPECT_EQ(reader.step("\r\n").fault, nullptr);
}

TEST(ChunkReader, SkippedDataStillNeedsItsLineEnd) {
  ChunkReader reader;
  (void)reader.step("3\n");
  reader.skip_data(3);
  EXPECT_NE(reader.step("0\r\n").fault, nullptr);
}

TEST(ChunkReader, StartsAnewAfterTheLastChunk) {
  ChunkReader reader;
  EXPECT_TRUE(reader.step("0;x\r\n").last);
  reader.start();
  EXPECT_TRUE(reader.step("00\n").last);
}

TEST(ChunkReader, FaultNamesItsKind) {
  ChunkReader reader;
  const ChunkReader::Step step = reader.step("g");
  ASSERT_NE(step.fault, nullptr);
  EXPECT_EQ(step.fault->kind, ErrorKind::kMalformedChunk);
  EXPECT_EQ(step.used, 0U);
}

}  // namespace
}  // namespace carronade::http
