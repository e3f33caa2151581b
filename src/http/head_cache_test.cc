#include "http/head_cache.h"

#include <gtest/gtest.h>

namespace carronade::http {
namespace {

H1Head head_with(uint16_t status) {
  H1Head head;
  head.status = status;
  return head;
}

TEST(HeadCache, FindsNothingAtFirst) {
  HeadCache cache;
  H1Head head;
  EXPECT_EQ(cache.find("", head), 0U);
  EXPECT_EQ(cache.find("HTTP", head), 0U);
}

TEST(HeadCache, FindsTheHeadAtTheBeginning) {
  HeadCache cache;
  H1Head head;
  cache.remember("abc", head_with(201));
  EXPECT_EQ(cache.find("abcdef", head), 3U);
  EXPECT_EQ(head.status, 201);
  EXPECT_EQ(cache.find("ab", head), 0U);
  EXPECT_EQ(cache.find("xabc", head), 0U);
}

TEST(HeadCache, AChangeAfterHitsIsRememberedAtOnce) {
  HeadCache cache;
  H1Head head;
  cache.remember("abc", head_with(201));
  EXPECT_EQ(cache.find("abc", head), 3U);
  cache.remember("abd", head_with(202));
  EXPECT_EQ(cache.find("abd", head), 3U);
  EXPECT_EQ(head.status, 202);
}

TEST(HeadCache, HeadsThatAlwaysDifferAreRememberedNowAndThen) {
  HeadCache cache;
  H1Head head;
  int remembered = 0;
  for (int i = 100; i < 260; ++i) {
    cache.remember(std::to_string(i), head_with(200));
    // Asked with a copy, as a hit would count as one.
    HeadCache copy = cache;
    if (copy.find(std::to_string(i), head) != 0) ++remembered;
  }
  EXPECT_EQ(remembered, 10);
}

TEST(HeadCache, LargeHeadsAreNotKept) {
  HeadCache cache;
  H1Head head;
  const std::string large(5000, 'x');
  cache.remember(large, head_with(200));
  EXPECT_EQ(cache.find(large, head), 0U);
}

}  // namespace
}  // namespace carronade::http
