// The policy on a simulated clock whose sleeps are late by a known amount.
#include "pace/wait_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace carronade::pace {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kPollNs = 500;  // what one look at the sockets takes

struct Outcome {
  int64_t late_ns_max = 0;  // of the second half, when the guard has settled
  double spin_share = 0;
  int64_t guard_ns = 0;
  int64_t slept = 0;
};

// One thing after another is due, every `gap_ns`; nothing else ever happens on the sockets.
// `oversleep(i)` is how late the i-th sleep ends.
Outcome run(PaceMode mode, int64_t gap_ns, int count,
            const std::function<int64_t(int)>& oversleep) {
  constexpr int64_t kStartNs = 1'000 * kSecond;
  WaitPolicy policy(mode, kStartNs);
  Outcome outcome;
  int64_t now_ns = kStartNs;
  int sleeps = 0;
  for (int i = 1; i <= count; ++i) {
    const int64_t due_ns = kStartNs + i * gap_ns;
    while (now_ns < due_ns) {
      const int64_t before_ns = now_ns;
      const int64_t timeout_ns = policy.timeout_ns(now_ns, due_ns);
      EXPECT_GE(timeout_ns, 0);
      EXPECT_LE(timeout_ns, due_ns - now_ns);
      if (timeout_ns == 0) {
        now_ns += kPollNs;
        policy.spun(before_ns, now_ns);
      } else {
        now_ns += timeout_ns + oversleep(sleeps++);
        policy.woke(before_ns, timeout_ns, now_ns);
      }
    }
    if (i > count / 2) outcome.late_ns_max = std::max(outcome.late_ns_max, now_ns - due_ns);
  }
  outcome.spin_share =
      static_cast<double>(policy.spin_ns()) / static_cast<double>(now_ns - kStartNs);
  outcome.guard_ns = policy.guard_ns();
  outcome.slept = sleeps;
  return outcome;
}

TEST(WaitPolicy, SleepIsAsLateAsTheKernel) {
  const Outcome o = run(PaceMode::kSleep, 1'000'000, 2000, [](int) { return 55'000; });
  EXPECT_EQ(o.late_ns_max, 55'000);
  EXPECT_EQ(o.spin_share, 0);
  EXPECT_EQ(o.slept, 2000);
}

TEST(WaitPolicy, SpinNeverSleeps) {
  const Outcome o = run(PaceMode::kSpin, 1'000'000, 200, [](int) { return 55'000; });
  EXPECT_LE(o.late_ns_max, kPollNs);
  EXPECT_EQ(o.slept, 0);
  EXPECT_NEAR(o.spin_share, 1, 1e-3);
}

TEST(WaitPolicy, HybridIsInTimeForASmallShare) {
  const Outcome o = run(PaceMode::kHybrid, 1'000'000, 5000, [](int) { return 55'000; });
  EXPECT_LE(o.late_ns_max, kPollNs);
  EXPECT_LE(o.spin_share, 0.02);  // 55 of the 60 µs were slept through
  EXPECT_GE(o.guard_ns, 55'000);
}

TEST(WaitPolicy, TheGuardFollowsTheOversleep) {
  EXPECT_EQ(run(PaceMode::kHybrid, 1'000'000, 2000, [](int) { return 0; }).guard_ns,
            WaitPolicy::kGuardLeastNs);
  EXPECT_NEAR(static_cast<double>(
                  run(PaceMode::kHybrid, 1'000'000, 2000, [](int) { return 20'000; }).guard_ns),
              20'000, 300);
  EXPECT_NEAR(static_cast<double>(
                  run(PaceMode::kHybrid, 1'000'000, 2000, [](int) { return 120'000; }).guard_ns),
              120'000, 300);
  EXPECT_EQ(run(PaceMode::kHybrid, 10'000'000, 2000, [](int) { return 3'000'000; }).guard_ns,
            WaitPolicy::kGuardMostNs);
}

// 0 … 49 µs in turn: the guard stays near the upper end, most arrivals are in time.
TEST(WaitPolicy, TheGuardIsAHighEstimate) {
  const Outcome o =
      run(PaceMode::kHybrid, 1'000'000, 5000, [](int i) { return (i * 37 % 50) * 1000; });
  EXPECT_GT(o.guard_ns, 35'000);
  EXPECT_LT(o.guard_ns, 50'000);
}

// One hiccup of the machine does not make it poll for long.
TEST(WaitPolicy, AnOutlierIsForgotten) {
  WaitPolicy policy(PaceMode::kHybrid, 0);
  policy.woke(0, 1000, 50'000'000);
  EXPECT_EQ(policy.guard_ns(), 60'000 + 140'000 / 4);
  for (int i = 0; i < 1500; ++i) policy.woke(0, 1000, 11'000);
  EXPECT_LT(policy.guard_ns(), 12'000);
  policy.woke(0, 1000, 900);  // woken early counts as in time
  EXPECT_GE(policy.guard_ns(), WaitPolicy::kGuardLeastNs);
}

// A rate whose gaps are all within the guard must not poll for all of the time.
TEST(WaitPolicy, HybridKeepsToItsShare) {
  for (const int64_t gap_ns : {30'000, 50'000, 100'000, 200'000}) {
    const Outcome o = run(PaceMode::kHybrid, gap_ns, static_cast<int>(5 * kSecond / gap_ns),
                          [](int) { return 55'000; });
    const double credit = 1e6 / 5e9;
    EXPECT_LE(o.spin_share, WaitPolicy::kSpinShare + credit + 1e-3) << gap_ns;
    EXPECT_GT(o.slept, 0);
  }
}

TEST(WaitPolicy, TheFirstMayPoll) {
  WaitPolicy policy(PaceMode::kHybrid, 0);
  EXPECT_EQ(policy.timeout_ns(0, 10'000'000), 10'000'000 - WaitPolicy::kGuardFirstNs);
  EXPECT_EQ(policy.timeout_ns(0, 30'000), 0);
  policy.spun(0, WaitPolicy::kSpinCreditNs + 1'000'000);
  EXPECT_EQ(policy.timeout_ns(2'000'000, 2'030'000), 30'000);  // the share is used up: sleep
  EXPECT_EQ(policy.timeout_ns(20'000'000, 20'030'000), 0);     // and has grown again
}

TEST(WaitPolicy, WhatIsDueIsDue) {
  for (const PaceMode mode : {PaceMode::kHybrid, PaceMode::kSpin, PaceMode::kSleep}) {
    WaitPolicy policy(mode, 0);
    EXPECT_EQ(policy.timeout_ns(100, 100), 0);
    EXPECT_EQ(policy.timeout_ns(100, 50), 0);
    EXPECT_EQ(policy.timeout_ns(100, INT64_MIN), 0);
  }
  WaitPolicy far(PaceMode::kSleep, 0);
  EXPECT_EQ(far.timeout_ns(100, INT64_MAX), INT64_MAX - 100);
}

}  // namespace
}  // namespace carronade::pace
