#include "load/wire_block.h"

#include <gtest/gtest.h>

namespace carronade::load {
namespace {

TEST(WireBlock, CountsFirstBytes) {
  const WireBlock block("abcd", 8);
  EXPECT_EQ(block.starts(0, 1), 1u);
  EXPECT_EQ(block.starts(0, 4), 1u);
  EXPECT_EQ(block.starts(0, 5), 2u);
  EXPECT_EQ(block.starts(1, 3), 0u);
  EXPECT_EQ(block.starts(1, 4), 1u);
  EXPECT_EQ(block.starts(3, 1), 0u);
  EXPECT_EQ(block.starts(3, 2), 1u);
  EXPECT_EQ(block.starts(3, 9), 2u);
  EXPECT_EQ(block.starts(3, 10), 3u);
}

// However the kernel cuts the writes, the bytes are whole requests and each is started once.
TEST(WireBlock, AnyCutSendsTheSameBytes) {
  const std::string request = "GET / HTTP/1.1\r\n\r\n";
  for (uint64_t step = 1; step < 50; ++step) {
    const WireBlock block(request, 3);
    uint64_t pending = 10 * request.size();
    uint64_t position = 0;
    uint32_t started = 0;
    std::string sent;
    while (pending > 0) {
      const std::string_view chunk = block.chunk(position, pending).substr(0, step);
      started += block.starts(position, chunk.size());
      sent += chunk;
      position = block.advance(position, chunk.size());
      pending -= chunk.size();
    }
    std::string expected;
    for (int i = 0; i < 10; ++i) expected += request;
    ASSERT_EQ(sent, expected);
    ASSERT_EQ(started, 10u);
  }
}

TEST(WireBlock, LargeRequestsAreNotMultiplied) {
  const std::string request(3 << 20, 'x');
  const WireBlock block(request, 100);
  EXPECT_EQ(block.chunk(0, UINT64_MAX).size(), request.size());
  EXPECT_EQ(block.request(), request);
}

}  // namespace
}  // namespace carronade::load
