#include "cli/record_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace carronade::cli {
namespace {

TEST(RecordQueue, GivesMessagesInTheirOrder) {
  RecordQueue queue(256);
  EXPECT_TRUE(queue.push({"one"}));
  EXPECT_TRUE(queue.push({"t", "", "wo"}));
  EXPECT_TRUE(queue.push({}));
  std::string message = "old";
  EXPECT_TRUE(queue.pop(message));
  EXPECT_EQ(message, "one");
  EXPECT_TRUE(queue.pop(message));
  EXPECT_EQ(message, "two");
  EXPECT_TRUE(queue.pop(message));
  EXPECT_EQ(message, "");
  EXPECT_FALSE(queue.pop(message));
  EXPECT_EQ(queue.lost(), 0U);
}

TEST(RecordQueue, CountsWhatFindsNoRoom) {
  RecordQueue queue(64);
  const std::string half(28, 'x');
  EXPECT_TRUE(queue.push({half}));
  EXPECT_TRUE(queue.push({half}));
  EXPECT_FALSE(queue.push({""}));
  EXPECT_FALSE(queue.push({half}));
  EXPECT_EQ(queue.lost(), 2U);
  std::string message;
  EXPECT_TRUE(queue.pop(message));
  EXPECT_TRUE(queue.push({half}));
  EXPECT_FALSE(queue.push({std::string(1000, 'y')}));
  EXPECT_EQ(queue.lost(), 3U);
}

TEST(RecordQueue, TakesAMessageOfItsWholeRoom) {
  RecordQueue queue(64);
  const std::string whole(60, 'w');
  std::string message;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(queue.push({whole}));
    EXPECT_TRUE(queue.pop(message));
    EXPECT_EQ(message, whole);
  }
}

TEST(RecordQueue, WrapsAnywhere) {
  RecordQueue queue(64);
  std::string message;
  for (size_t i = 0; i < 500; ++i) {
    const std::string text(i % 29, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(queue.push({text.substr(0, i % 5), text.size() < i % 5 ? "" : text.substr(i % 5)}));
    ASSERT_TRUE(queue.push({"tail"}));
    ASSERT_TRUE(queue.pop(message));
    ASSERT_EQ(message, text);
    ASSERT_TRUE(queue.pop(message));
    ASSERT_EQ(message, "tail");
  }
}

// Every message arrives whole and in order, or is counted: none twice, none in pieces.
TEST(RecordQueue, LosesNothingUnseenBetweenTwoThreads) {
  constexpr uint64_t kMessages = 200'000;
  RecordQueue queue(1 << 12);
  std::thread producer([&queue] {
    for (uint64_t i = 0; i < kMessages; ++i) {
      const std::string number = std::to_string(i);
      (void)queue.push({number, ":", std::string(i % 40, 'x')});
    }
    while (!queue.push({"end"})) std::this_thread::yield();
  });
  uint64_t arrived = 0;
  uint64_t least_next = 0;
  bool whole = true;
  std::string message;
  while (true) {
    if (!queue.pop(message)) {
      std::this_thread::yield();
      continue;
    }
    if (message == "end") break;
    const size_t colon = message.find(':');
    const uint64_t number = std::stoull(message);
    whole = whole && number >= least_next && message.size() - colon - 1 == number % 40 &&
            message.find_first_not_of('x', colon + 1) == std::string::npos;
    least_next = number + 1;
    ++arrived;
  }
  producer.join();
  EXPECT_TRUE(whole);
  EXPECT_GE(arrived + queue.lost(), kMessages);  // lost(): the tries of "end" too
  EXPECT_LE(arrived, kMessages);
  EXPECT_GT(arrived, 0U);
}

TEST(RecordQueue, CountsExactlyBetweenTwoThreads) {
  constexpr uint64_t kMessages = 100'000;
  RecordQueue queue(1 << 10);
  std::atomic<bool> done{false};
  uint64_t refused = 0;
  std::thread producer([&] {
    for (uint64_t i = 0; i < kMessages; ++i) refused += queue.push({"message"}) ? 0 : 1;
    done.store(true);
  });
  uint64_t arrived = 0;
  std::string message;
  bool last_look = false;
  while (true) {
    while (queue.pop(message)) ++arrived;
    if (last_look) break;
    last_look = done.load();
  }
  producer.join();
  EXPECT_EQ(queue.lost(), refused);
  EXPECT_EQ(arrived + refused, kMessages);
}

}  // namespace
}  // namespace carronade::cli
