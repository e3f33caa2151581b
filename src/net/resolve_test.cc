#include "net/resolve.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"

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

// A name server that says nothing until it is let go. The lookup may outlive the test and shares
// nothing with it: its port is the end of a pipe, and it closes that itself.
int silent(const char*, const char* service, const addrinfo*, addrinfo**) {
  const base::UniqueFd held(std::stoi(service));
  char byte;
  return read(held.get(), &byte, 1) == 0 ? EAI_AGAIN : EAI_FAIL;
}

class SilentResolver : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    held_ = static_cast<uint16_t>(ends[0]);
    holding_.reset(ends[1]);
  }

  uint16_t held_ = 0;
  base::UniqueFd holding_;  // closed with the test: the lookup goes on and finds nobody waiting
};

TEST_F(SilentResolver, TimeoutIsNamed) {
  const int64_t start = base::now_ns();
  const auto found = resolve("slow.test", held_, 30'000'000, nullptr, silent);
  EXPECT_GE(base::now_ns() - start, 30'000'000);
  EXPECT_LT(base::now_ns() - start, 5 * kSecondNs);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text, "resolve slow.test: no answer within 30ms");
}

TEST_F(SilentResolver, CancelEndsTheWait) {
  std::atomic<bool> cancel{false};
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  const int64_t start = base::now_ns();
  const auto found = resolve("slow.test", held_, 60 * kSecondNs, &cancel, silent);
  EXPECT_LT(base::now_ns() - start, 5 * kSecondNs);
  other.join();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text, "resolve slow.test: cancelled");
}

int twice_the_same(const char*, const char* service, const addrinfo* hints, addrinfo** list) {
  addrinfo numeric = *hints;
  numeric.ai_flags |= AI_NUMERICHOST;
  const int status = getaddrinfo("::1", service, &numeric, list);
  if (status != 0) return status;
  addrinfo** next = &(*list)->ai_next;
  for (const char* host : {"127.0.0.1", "::1", "127.0.0.1"}) {
    if (const int failed = getaddrinfo(host, service, &numeric, next); failed != 0) return failed;
    next = &(*next)->ai_next;
  }
  return 0;
}

TEST(Resolve, KeepsTheOrderAndDropsDuplicates) {
  const auto found = resolve("twice.test", 80, 10 * kSecondNs, nullptr, twice_the_same);
  ASSERT_TRUE(found) << found.error().text;
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ(found->at(0).text(), "[::1]:80");
  EXPECT_EQ(found->at(1).text(), "127.0.0.1:80");
}

int out_of_descriptors(const char*, const char*, const addrinfo*, addrinfo**) {
  errno = EMFILE;
  return EAI_SYSTEM;
}

TEST(Resolve, FaultsOfThisMachineAreNamed) {
  const auto found = resolve("full.test", 80, 10 * kSecondNs, nullptr, out_of_descriptors);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text, "resolve full.test: Too many open files");
}

}  // namespace
}  // namespace carronade::net
