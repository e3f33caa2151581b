// The policy on a simulated clock whose sleeps are late by a known amount.
#include "pace/wait_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace carronade::pace {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kPollNs = 2'000;  // what one look at the sockets takes

struct Outcome {
  int64_t late_ns_max = 0;  // of the second half, when the guard has settled
  int late = 0;             // of them, by more than 50 µs
  double spin_share = 0;    // of the second half too
  int64_t guard_ns = 0;
  int64_t slept = 0;
  bool crowded = false;
};

// One thing after another is due, every `gap_ns`; nothing else ever happens on the sockets.
// `oversleep(i)` is how late the i-th sleep ends.
// `poll(i)` is how long the i-th look at the sockets takes.
Outcome run(
    PaceMode mode, int64_t gap_ns, int count, const std::function<int64_t(int)>& oversleep,
    const std::function<int64_t(int)>& poll = [](int) { return kPollNs; }) {
  constexpr int64_t kStartNs = 1'000 * kSecond;
  WaitPolicy policy(mode, kStartNs);
  Outcome outcome;
  int64_t now_ns = kStartNs;
  int sleeps = 0;
  int polls = 0;
  int64_t half_ns = 0;
  int64_t spun_by_half_ns = 0;
  for (int i = 1; i <= count; ++i) {
    const int64_t due_ns = kStartNs + i * gap_ns;
    while (now_ns < due_ns) {
      const int64_t before_ns = now_ns;
      const int64_t timeout_ns = policy.timeout_ns(now_ns, due_ns);
      EXPECT_GE(timeout_ns, 0);
      EXPECT_LE(timeout_ns, due_ns - now_ns);
      if (timeout_ns == 0) {
        now_ns += poll(polls++);
        policy.polled(before_ns, now_ns, true);
      } else {
        now_ns += timeout_ns + oversleep(sleeps++);
        policy.woke(before_ns, timeout_ns, now_ns);
      }
    }
    if (i == count / 2) {
      half_ns = now_ns;
      spun_by_half_ns = policy.spin_ns();
    }
    if (i <= count / 2) continue;
    outcome.late_ns_max = std::max(outcome.late_ns_max, now_ns - due_ns);
    if (now_ns - due_ns > 50'000) ++outcome.late;
  }
  outcome.spin_share = static_cast<double>(policy.spin_ns() - spun_by_half_ns) /
                       static_cast<double>(now_ns - half_ns);
  outcome.guard_ns = policy.guard_ns();
  outcome.slept = sleeps;
  outcome.crowded = policy.crowded(now_ns);
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
  const Outcome o = run(PaceMode::kHybrid, 1'000'000, 60'000, [](int) { return 55'000; });
  EXPECT_LE(o.late_ns_max, kPollNs);
  EXPECT_LE(o.spin_share, 0.02);
  EXPECT_GE(o.guard_ns, 55'000);
}

TEST(WaitPolicy, TheGuardFollowsTheOversleep) {
  const auto guard_at = [](int64_t oversleep_ns) {
    const Outcome o = run(PaceMode::kHybrid, 20'000'000, 40'000, [=](int) { return oversleep_ns; });
    return static_cast<double>(o.guard_ns);
  };
  // It does not fall by less than one part in 4096.
  EXPECT_NEAR(guard_at(0), WaitPolicy::kGuardLeastNs, 4100);
  EXPECT_NEAR(guard_at(20'000), 20'000, 4100);
  EXPECT_NEAR(guard_at(120'000), 120'000, 4100);
  EXPECT_NEAR(guard_at(3'000'000), 3'000'000, 20'000);
  EXPECT_NEAR(guard_at(30'000'000), WaitPolicy::kGuardMostNs, 20'000);
}

// 0 … 49 µs in turn: the guard stays near the upper end, nearly all arrivals are in time.
TEST(WaitPolicy, TheGuardIsAHighEstimate) {
  const Outcome o =
      run(PaceMode::kHybrid, 1'000'000, 60'000, [](int i) { return (i * 37 % 50) * 1000; });
  EXPECT_GT(o.guard_ns, 44'000);
  EXPECT_LT(o.guard_ns, 54'000);
}

// A machine that wakes most sleepers after 100 µs and some after 2 ms is polled on, as long as
// nobody else wants the core: no more than one arrival in a hundred is late.
TEST(WaitPolicy, RareStallsAreMetByPolling) {
  const Outcome o = run(PaceMode::kHybrid, 1'000'000, 30'000,
                        [](int i) { return i % 50 == 49 ? 2'000'000 : 100'000; });
  EXPECT_LT(o.late, 300);
  EXPECT_FALSE(o.crowded);
}

// Hiccups of the machine do not make it poll for long.
TEST(WaitPolicy, AnOutlierIsForgotten) {
  WaitPolicy policy(PaceMode::kHybrid, 0);
  const int64_t before_ns = policy.guard_ns();
  policy.woke(0, 1000, 50'000'000);
  EXPECT_EQ(policy.guard_ns(), before_ns + (WaitPolicy::kGuardMostNs - before_ns) / 2);
  for (int i = 0; i < 40'000; ++i) policy.woke(0, 1000, 11'000);
  EXPECT_LT(policy.guard_ns(), 15'000);
  policy.woke(0, 1000, 900);  // woken early counts as in time
  EXPECT_GE(policy.guard_ns(), WaitPolicy::kGuardLeastNs);
}

// Also where the guard has grown beyond the gaps, and no sleep shows that it is too long.
TEST(WaitPolicy, SleepsAgainBehindAHiccup) {
  const Outcome o =
      run(PaceMode::kHybrid, 1'000'000, 90'000, [](int i) { return i < 8 ? 5'000'000 : 20'000; });
  EXPECT_LT(o.guard_ns, 30'000);
  EXPECT_LT(o.spin_share, 0.2);
  EXPECT_EQ(o.late, 0);
}

// Gaps within the guard: all of the time is polled while nobody else wants the core.
TEST(WaitPolicy, PollsOnAFreeCore) {
  const Outcome o = run(PaceMode::kHybrid, 50'000, 40'000, [](int) { return 55'000; });
  EXPECT_EQ(o.late, 0);
  EXPECT_FALSE(o.crowded);
}

// Somebody takes the core for 3 ms after every 3 ms of polling.
int64_t poll_beside_a_hog(int i) { return i % 1500 == 1499 ? 3'000'000 : kPollNs; }

TEST(WaitPolicy, KeepsToItsShareOnACrowdedCore) {
  for (const int64_t gap_ns : {30'000, 50'000, 100'000, 200'000}) {
    const Outcome o = run(
        PaceMode::kHybrid, gap_ns, static_cast<int>(20 * kSecond / gap_ns),
        [](int) { return 55'000; }, poll_beside_a_hog);
    // Up to the first verdict, and a window for each time it asks again.
    EXPECT_LE(o.spin_share, WaitPolicy::kSpinShare + 0.05) << gap_ns;
    EXPECT_GT(o.slept, 0);
  }
}

// A timer tick, or one stall of the hypervisor, is not a crowd.
TEST(WaitPolicy, AnInterruptIsNoCrowd) {
  const Outcome o = run(
      PaceMode::kHybrid, 50'000, 100'000, [](int) { return 55'000; },
      [](int i) { return i % 2000 == 1999 ? 15'000
                         : i == 250'000   ? 8'000'000
                                          : kPollNs; });
  EXPECT_FALSE(o.crowded);
  EXPECT_LE(o.late, 160);  // what was due during the stall
}

TEST(WaitPolicy, ACrowdIsAskedForAgain) {
  WaitPolicy policy(PaceMode::kHybrid, 0);
  const auto crowd = [&policy](int64_t now_ns) {
    policy.polled(now_ns - WaitPolicy::kCrowdWindowNs, now_ns, false);
  };
  crowd(1 * kSecond);
  EXPECT_TRUE(policy.crowded(1 * kSecond));
  EXPECT_FALSE(policy.crowded(2 * kSecond));
  crowd(5 * kSecond);
  EXPECT_TRUE(policy.crowded(7 * kSecond - 1));
  EXPECT_FALSE(policy.crowded(7 * kSecond));
}

TEST(WaitPolicy, TheFirstMayPollOnACrowdedCoreToo) {
  WaitPolicy policy(PaceMode::kHybrid, 0);
  EXPECT_EQ(policy.timeout_ns(0, 10'000'000), 10'000'000 - WaitPolicy::kGuardFirstNs);
  EXPECT_EQ(policy.timeout_ns(0, 30'000), 0);
  policy.polled(0, WaitPolicy::kCrowdWindowNs, true);  // ends crowded, with nothing spun
  const int64_t now_ns = WaitPolicy::kCrowdWindowNs;
  EXPECT_EQ(policy.timeout_ns(now_ns, now_ns + 30'000), 0);
  for (int i = 0; i < 2000; ++i) policy.polled(0, 1000, true);
  const int64_t later_ns = now_ns + 2'000'000;
  EXPECT_EQ(policy.timeout_ns(later_ns, later_ns + 30'000), 30'000);  // the share is used up: sleep
  const int64_t grown_ns = now_ns + 20'000'000;
  EXPECT_EQ(policy.timeout_ns(grown_ns, grown_ns + 30'000), 0);  // and has grown again
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
