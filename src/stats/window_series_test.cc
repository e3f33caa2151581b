#include "stats/window_series.h"

#include <gtest/gtest.h>

namespace carronade::stats {
namespace {

TEST(WindowSeries, WindowsAreDifferencesAndConnectionsALevel) {
  WindowSeries series(1000, 100);
  EXPECT_EQ(series.edge_ns(), 1100);
  series.close({.sent = 5, .answered = 3, .errors = 1, .bytes_received = 70, .connections = 2});
  EXPECT_EQ(series.edge_ns(), 1200);
  series.close({.sent = 9, .answered = 8, .errors = 1, .bytes_received = 90, .connections = 4});
  ASSERT_EQ(series.windows().size(), 2U);
  const Window& second = series.windows()[1];
  EXPECT_EQ(second.start_ns, 100);
  EXPECT_EQ(second.width_ns, 100);
  EXPECT_EQ(second.sent, 4U);
  EXPECT_EQ(second.answered, 5U);
  EXPECT_EQ(second.errors, 0U);
  EXPECT_EQ(second.bytes_received, 20U);
  EXPECT_EQ(second.connections, 4U);
}

TEST(WindowSeries, TheLastWindowIsCut) {
  WindowSeries series(1000, 100);
  series.close({.sent = 5});
  series.finish({.sent = 6}, 1130);
  ASSERT_EQ(series.windows().size(), 2U);
  EXPECT_EQ(series.windows()[1].width_ns, 30);
  EXPECT_EQ(series.windows()[1].sent, 1U);
}

TEST(WindowSeries, AnEmptyWindowWithoutWidthIsDropped) {
  WindowSeries series(1000, 100);
  series.close({.sent = 5, .connections = 3});
  series.finish({.sent = 5, .connections = 3}, 1100);
  ASSERT_EQ(series.windows().size(), 1U);
  EXPECT_EQ(series.windows()[0].width_ns, 100);
  EXPECT_EQ(series.windows()[0].connections, 3U);
}

TEST(WindowSeries, CountsOfAWindowWithoutWidthGoToTheOneBefore) {
  WindowSeries series(1000, 100);
  series.close({.sent = 5, .connections = 3});
  series.finish({.sent = 7, .connections = 1}, 1100);
  ASSERT_EQ(series.windows().size(), 1U);
  EXPECT_EQ(series.windows()[0].sent, 7U);
  EXPECT_EQ(series.windows()[0].connections, 1U);
}

TEST(WindowSeries, AnEndBeforeTheOpenWindowTakesClosedOnesBack) {
  WindowSeries series(1000, 100);
  series.close({.sent = 1});
  series.close({.sent = 3});
  series.close({.sent = 6});
  series.finish({.sent = 10}, 1140);
  ASSERT_EQ(series.windows().size(), 2U);
  EXPECT_EQ(series.windows()[0].sent, 1U);
  EXPECT_EQ(series.windows()[1].sent, 9U);
  EXPECT_EQ(series.windows()[1].width_ns, 40);
}

TEST(WindowSeries, ARunWithoutLength) {
  WindowSeries idle(1000, 100);
  idle.finish({}, 1000);
  EXPECT_TRUE(idle.windows().empty());
  WindowSeries busy(1000, 100);
  busy.finish({.errors = 2}, 1000);
  ASSERT_EQ(busy.windows().size(), 1U);
  EXPECT_EQ(busy.windows()[0].width_ns, 0);
  EXPECT_EQ(busy.windows()[0].errors, 2U);
}

}  // namespace
}  // namespace carronade::stats
