#include "carronade/run_result.h"

#include <gtest/gtest.h>

namespace carronade {
namespace {

TEST(RunResult, ErrorTotals) {
  RunResult result;
  EXPECT_EQ(result.error_total(), 0U);
  result.errors = {{ErrorKind::kTimeout, Phase::kTimeout, "a", 3},
                   {ErrorKind::kConnectTimeout, Phase::kConnect, "b", 20},
                   {ErrorKind::kConnectRefused, Phase::kConnect, "c", 100}};
  EXPECT_EQ(result.error_total(), 123U);
  EXPECT_EQ(result.timeout_total(), 23U);
}

TEST(RunResult, StatusClasses) {
  RunResult result;
  result.by_status[200] = 5;
  result.by_status[299] = 1;
  result.by_status[300] = 7;
  result.by_status[404] = 2;
  result.by_status[999] = 3;
  result.by_status[42] = 4;
  EXPECT_EQ(result.status_class(2), 6U);
  EXPECT_EQ(result.status_class(3), 7U);
  EXPECT_EQ(result.status_class(9), 3U);
  EXPECT_EQ(result.status_class(1), 0U);
  EXPECT_EQ(result.status_class(10), 0U);
  EXPECT_EQ(result.non_2xx(), 16U);
}

TEST(RunResult, RoundTripsHaveNoStatusThatCouldBeWrong) {
  RunResult result;
  result.by_status[0] = 5;
  EXPECT_EQ(result.non_2xx(), 5U);  // an answer of HTTP with the status 000
  result.websocket.emplace();
  EXPECT_EQ(result.non_2xx(), 0U);
  EXPECT_EQ(result.status_class(2), 0U);
}

TEST(RunResult, Conserved) {
  RunResult result;
  result.sent = 10;
  result.answered = 5;
  result.failed = 2;
  result.timed_out = 1;
  EXPECT_FALSE(result.conserved());
  result.in_flight = 2;
  EXPECT_TRUE(result.conserved());
}

}  // namespace
}  // namespace carronade
