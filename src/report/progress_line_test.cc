#include "report/progress_line.h"

#include <gtest/gtest.h>

#include <vector>

#include "report/table.h"

namespace carronade::report {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

Progress progress_of(int64_t elapsed_ns, uint64_t answered, uint64_t errors = 0) {
  Progress progress;
  progress.elapsed_ns = elapsed_ns;
  progress.sent = answered + errors;
  progress.answered = answered;
  progress.errors = errors;
  return progress;
}

TEST(ProgressLine, ShowsBarElapsedRequestsRateAndErrors) {
  const ProgressGoal goal{"running", 10 * kSecond, {}};
  EXPECT_EQ(progress_line(progress_of(5 * kSecond / 2, 12345), goal, 4938.4, 100, false),
            "running [=====               ] 25% 2.5 s, 12,345 requests, 4,938/s, 0 errors");
  EXPECT_EQ(progress_line(progress_of(10 * kSecond, 7, 1), goal, 0, 100, false),
            "running [====================] 100% 10.0 s, 7 requests, 0/s, 1 error");
}

TEST(ProgressLine, DropsTheBarAndThenCutsWhenTheTerminalIsNarrow) {
  const ProgressGoal goal{"running", 10 * kSecond, {}};
  const Progress progress = progress_of(5 * kSecond / 2, 12345);
  EXPECT_EQ(progress_line(progress, goal, 4938, 60, false),
            "running 2.5 s, 12,345 requests, 4,938/s, 0 errors");
  EXPECT_EQ(progress_line(progress, goal, 4938, 20, false), "running 2.5 s, 12,34");
  EXPECT_EQ(progress_line(progress, goal, 4938, 3, false), "run");
  for (int columns = 1; columns < 120; ++columns) {
    EXPECT_LE(display_width(progress_line(progress, goal, 4938, columns, false)), columns);
  }
}

TEST(ProgressLine, NoBarWithoutAnEndToShow) {
  EXPECT_EQ(progress_line(progress_of(kSecond, 5), {}, 5, 100, false),
            "running 1.0 s, 5 requests, 5/s, 0 errors");
}

TEST(ProgressShare, TheNearerGoalCountsAndItStaysWithinOne) {
  const ProgressGoal both{"running", 10 * kSecond, 100};
  EXPECT_DOUBLE_EQ(*progress_share(progress_of(kSecond, 40, 10), both), 0.5);
  EXPECT_DOUBLE_EQ(*progress_share(progress_of(9 * kSecond, 0), both), 0.9);
  EXPECT_DOUBLE_EQ(*progress_share(progress_of(30 * kSecond, 0), both), 1.0);
  EXPECT_FALSE(progress_share(progress_of(kSecond, 1), {}).has_value());
}

TEST(RateMeter, IsTheRateOfTheLastSecond) {
  RateMeter meter;
  EXPECT_DOUBLE_EQ(meter.add(kSecond / 10, 10), 100);
  for (int i = 2; i <= 10; ++i) meter.add(i * kSecond / 10, static_cast<uint64_t>(i) * 10);
  double rate = 0;  // the server stalls for two seconds
  for (int i = 11; i <= 30; ++i) rate = meter.add(i * kSecond / 10, 100);
  EXPECT_DOUBLE_EQ(rate, 0);
  EXPECT_DOUBLE_EQ(RateMeter().add(0, 0), 0);
}

struct Screen {
  std::vector<std::string> writes;
  ProgressWriter writer{[this](std::string_view bytes) { writes.emplace_back(bytes); },
                        [] { return 80; },
                        {"running", 10 * kSecond, {}},
                        false};
};

TEST(ProgressWriter, RedrawsInPlaceAtMostTenTimesASecond) {
  Screen screen;
  for (int ms = 0; ms < 1000; ++ms) screen.writer.update(progress_of(ms * 1'000'000LL, 1));
  EXPECT_EQ(screen.writes.size(), 10U);
  for (const std::string& bytes : screen.writes) {
    EXPECT_EQ(bytes.front(), '\r');
    EXPECT_EQ(bytes.find('\n'), std::string::npos);
    EXPECT_EQ(bytes.substr(bytes.size() - 3), "\x1b[K");
  }
}

TEST(ProgressWriter, ClearsOnlyWhatItDrew) {
  Screen screen;
  screen.writer.clear();
  EXPECT_TRUE(screen.writes.empty());
  screen.writer.update(progress_of(0, 0));
  screen.writer.clear();
  screen.writer.clear();
  ASSERT_EQ(screen.writes.size(), 2U);
  EXPECT_EQ(screen.writes[1], "\r\x1b[K");
}

TEST(TerminalColumns, IsEightyWithoutATerminal) { EXPECT_EQ(terminal_columns(-1), 80); }

}  // namespace
}  // namespace carronade::report
