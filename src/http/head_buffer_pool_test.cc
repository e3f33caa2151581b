#include "http/head_buffer_pool.h"

#include <gtest/gtest.h>

namespace carronade::http {
namespace {

TEST(HeadBufferPool, GivesEmptyBuffers) {
  HeadBufferPool pool;
  EXPECT_TRUE(pool.take()->empty());
}

TEST(HeadBufferPool, ReusesABufferEmptied) {
  HeadBufferPool pool;
  std::unique_ptr<std::string> buffer = pool.take();
  buffer->assign(1000, 'x');
  const std::string* const address = buffer.get();
  pool.give(std::move(buffer));
  const std::unique_ptr<std::string> again = pool.take();
  EXPECT_EQ(again.get(), address);
  EXPECT_TRUE(again->empty());
  EXPECT_GE(again->capacity(), 1000U);
}

TEST(HeadBufferPool, DoesNotKeepLargeBuffers) {
  HeadBufferPool pool;
  std::unique_ptr<std::string> buffer = pool.take();
  buffer->assign(60'000, 'x');
  pool.give(std::move(buffer));
  EXPECT_LT(pool.take()->capacity(), 60'000U);
}

TEST(HeadBufferPool, KeepsABoundedNumber) {
  HeadBufferPool pool;
  for (int i = 0; i < 1000; ++i) {
    auto buffer = std::make_unique<std::string>();
    buffer->reserve(100);
    pool.give(std::move(buffer));
  }
  int kept = 0;
  while (pool.take()->capacity() >= 100) ++kept;
  EXPECT_EQ(kept, 256);
}

}  // namespace
}  // namespace carronade::http
