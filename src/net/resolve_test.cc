#include "net/resolve.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/clock.h"

namespace carronade::net {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

TEST(Resolve, LiteralsNeedNoLookup) {
  // No time at all: a lookup would not have finished.
  const auto v4 = resolve("127.0.0.1", 80, 0, nullptr);
  ASSERT_TRUE(v4);
  ASSERT_EQ(v4->size(), 1u);
  EXPECT_EQ(v4->front().text(), "127.0.0.1:80");
  const auto v6 = resolve("::1", 81, 0, nullptr);
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->front().text(), "[::1]:81");
}

TEST(Resolve, LocalhostIsLoopbackWithoutDuplicates) {
  const auto found = resolve("localhost", 7357, 10 * kSecondNs, nullptr);
  ASSERT_TRUE(found) << found.error().text;
  ASSERT_FALSE(found->empty());
  std::vector<std::string> texts;
  for (const Address& address : *found) {
    texts.push_back(address.text());
    EXPECT_TRUE(texts.back() == "127.0.0.1:7357" || texts.back() == "[::1]:7357") << texts.back();
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end());
}

TEST(Resolve, FailureNamesTheHost) {
  const auto found = resolve("no-such-host.invalid", 80, 20 * kSecondNs, nullptr);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text.rfind("resolve no-such-host.invalid: ", 0), 0u)
      << found.error().text;
  EXPECT_GT(found.error().text.size(), std::string("resolve no-such-host.invalid: ").size());
}

TEST(Resolve, TimeoutIsNamed) {
  const auto found = resolve("no-such-host.invalid", 80, 0, nullptr);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text.rfind("resolve no-such-host.invalid: no answer within ", 0), 0u)
      << found.error().text;
}

TEST(Resolve, CancelledBeforeTheAnswer) {
  const std::atomic<bool> cancel{true};
  const int64_t start = base::now_ns();
  const auto found = resolve("no-such-host.invalid", 80, 60 * kSecondNs, &cancel);
  EXPECT_LT(base::now_ns() - start, kSecondNs);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text, "resolve no-such-host.invalid: cancelled");
}

TEST(Resolve, ManyAbandonedLookupsLeaveNothingBehind) {
  // For the sanitizers: each lookup thread outlives its caller.
  const std::atomic<bool> cancel{true};
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(resolve("localhost.", 80, kSecondNs, &cancel));
}

}  // namespace
}  // namespace carronade::net
