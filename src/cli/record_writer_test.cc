#include "cli/record_writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>

namespace carronade::cli {
namespace {

std::vector<std::unique_ptr<RecordQueue>> queues(size_t count, size_t bytes) {
  std::vector<std::unique_ptr<RecordQueue>> made;
  for (size_t i = 0; i < count; ++i) made.push_back(std::make_unique<RecordQueue>(bytes));
  return made;
}

Expected<void> nothing() { return {}; }

TEST(RecordWriter, ConsumesAllThatWasPushedBeforeTheFinish) {
  std::string text;
  int flushes = 0;
  RecordWriter writer(
      queues(2, 1 << 10),
      [&](std::string_view message) -> Expected<void> {
        text += message;
        return {};
      },
      [&]() -> Expected<void> {
        ++flushes;
        return {};
      });
  writer.queue(0).push({"a"});
  writer.queue(0).push({"b"});
  EXPECT_TRUE(writer.finish());
  EXPECT_EQ(text, "ab");
  EXPECT_GE(flushes, 1);
  EXPECT_TRUE(writer.finish());
  EXPECT_EQ(writer.lost(), 0U);
}

TEST(RecordWriter, FlushesAtTheEndOfNothing) {
  int flushes = 0;
  RecordWriter writer(
      queues(1, 64), [](std::string_view) -> Expected<void> { return {}; },
      [&]() -> Expected<void> {
        ++flushes;
        return {};
      });
  EXPECT_TRUE(writer.finish());
  EXPECT_EQ(flushes, 1);
}

TEST(RecordWriter, FlushesSoonWithoutBeingTold) {
  std::atomic<int> flushes{0};
  RecordWriter writer(
      queues(1, 64), [](std::string_view) -> Expected<void> { return {}; },
      [&]() -> Expected<void> {
        flushes.fetch_add(1);
        return {};
      });
  writer.queue(0).push({"a"});
  for (int i = 0; i < 5000 && flushes.load() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(flushes.load(), 1);
}

TEST(RecordWriter, GoesOnTakingAfterAnErrorAndCountsWhatIsLost) {
  int consumed = 0;
  RecordWriter writer(
      queues(1, 1 << 12),
      [&](std::string_view) -> Expected<void> {
        if (++consumed == 3) return unexpected("file.csv: No space left on device");
        return {};
      },
      nothing);
  for (int i = 0; i < 10; ++i) writer.queue(0).push({"m"});
  const Expected<void> done = writer.finish();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text, "file.csv: No space left on device");
  EXPECT_EQ(consumed, 3);
  // Two more when they were not flushed before the third came.
  EXPECT_GE(writer.lost(), 8U);
  EXPECT_LE(writer.lost(), 10U);
}

TEST(RecordWriter, AFailedFlushLosesWhatWasGathered) {
  RecordWriter writer(
      queues(1, 1 << 12), [](std::string_view) -> Expected<void> { return {}; },
      []() -> Expected<void> { return unexpected("closed pipe"); });
  for (int i = 0; i < 10; ++i) writer.queue(0).push({"m"});
  const Expected<void> done = writer.finish();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text, "closed pipe");
  EXPECT_EQ(writer.lost(), 10U);
}

// Two workers as fast as they can, a writer that is slower at times: all is written or counted.
TEST(RecordWriter, LosesNothingUnseenUnderLoad) {
  constexpr uint64_t kMessages = 50'000;
  std::map<char, uint64_t> written;
  uint64_t total = 0;
  RecordWriter writer(
      queues(2, 1 << 12),
      [&](std::string_view message) -> Expected<void> {
        ++written[message.front()];
        if (++total % 10'000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return {};
      },
      nothing);
  std::vector<std::thread> workers;
  for (size_t w = 0; w < 2; ++w) {
    workers.emplace_back([&writer, w] {
      for (uint64_t i = 0; i < kMessages; ++i) writer.queue(w).push({w == 0 ? "0" : "1", "tail"});
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_TRUE(writer.finish());
  EXPECT_EQ(written['0'] + writer.queue(0).lost(), kMessages);
  EXPECT_EQ(written['1'] + writer.queue(1).lost(), kMessages);
  EXPECT_EQ(total + writer.lost(), 2 * kMessages);
}

}  // namespace
}  // namespace carronade::cli
