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
    const std::function<int64_t(int)>& poll = [](int) { return kPollNs; }, bool spare = true) {
  constexpr int64_t kStartNs = 1'000 * kSecond;
  WaitPolicy policy(mode, kStartNs, spare);
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
        policy.polled(before_ns, now_ns, due_ns, true);
      } else {
        now_ns += timeout_ns + oversleep(sleeps++);
        policy.woke(before_ns, timeout_ns, now_ns);
      }
    }
    if (i == count / 2) {
      half_ns = now_ns;
      spun_by_half_ns = policy.polling().spin_ns();
    }
    if (i <= count / 2) continue;
    outcome.late_ns_max = std::max(outcome.late_ns_max, now_ns - due_ns);
    if (now_ns - due_ns > 50'000) ++outcome.late;
  }
  outcome.spin_share = static_cast<double>(policy.polling().spin_ns() - spun_by_half_ns) /
                       static_cast<double>(now_ns - half_ns);
  outcome.guard_ns = policy.guard_ns();
  outcome.slept = sleeps;
  outcome.crowded = policy.polling().bounded(now_ns);
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
  WaitPolicy policy(PaceMode::kHybrid, 0, true);
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
    EXPECT_LE(o.spin_share, Polling::kShare + 0.05) << gap_ns;
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
  WaitPolicy policy(PaceMode::kHybrid, 0, true);
  const auto crowd = [&policy](int64_t now_ns) {
    policy.polled(now_ns - Polling::kCrowdWindowNs, now_ns, now_ns, false);
  };
  crowd(1 * kSecond);
  EXPECT_TRUE(policy.polling().bounded(1 * kSecond));
  EXPECT_FALSE(policy.polling().bounded(2 * kSecond));
  crowd(5 * kSecond);
  EXPECT_TRUE(policy.polling().bounded(7 * kSecond - 1));
  EXPECT_FALSE(policy.polling().bounded(7 * kSecond));
}

TEST(WaitPolicy, TheFirstMayPollWhereItIsBoundedToo) {
  WaitPolicy policy(PaceMode::kHybrid, 0, false);
  EXPECT_EQ(policy.timeout_ns(0, 10'000'000), 10'000'000 - WaitPolicy::kGuardMostBoundedNs);
  EXPECT_EQ(policy.timeout_ns(0, 30'000), 0);
  EXPECT_FALSE(policy.polite(0));
  for (int i = 0; i < 2000; ++i) policy.polled(0, 1000, 2000, true);
  EXPECT_EQ(policy.timeout_ns(2'000'000, 2'030'000), 30'000);  // the share is used up: sleep
  EXPECT_EQ(policy.timeout_ns(20'000'000, 20'030'000), 0);     // and has grown again
}

// As much of the guard as the share has room for: not a long one for some and none for others.
TEST(WaitPolicy, ABoundedGuardIsForAll) {
  for (const int64_t gap_ns : {1'000'000, 3'000'000}) {
    const Outcome o = run(
        PaceMode::kHybrid, gap_ns, 20'000, [](int i) { return i % 50 == 49 ? 2'000'000 : 60'000; },
        [](int) { return kPollNs; }, false);
    EXPECT_LE(o.late, 10'000 / 50 * 3) << gap_ns;  // the stalls themselves
    EXPECT_LE(o.spin_share, Polling::kShare + 0.01) << gap_ns;
  }
}

// Somebody else's turn before the due time took nothing from us; behind it, it did.
TEST(WaitPolicy, KnowsWhatItGaveAway) {
  WaitPolicy policy(PaceMode::kHybrid, 0, true);
  policy.polled(0, 60'000, 100'000, true);
  EXPECT_EQ(policy.polling().given_ns(), 50'000);
  EXPECT_EQ(policy.polling().given_times(), 1);
  EXPECT_EQ(policy.polling().spin_ns(), Polling::kPollMostNs);
  policy.polled(60'000, 120'000, 100'000, true);
  EXPECT_EQ(policy.polling().given_ns(), 50'000);
  EXPECT_EQ(policy.polling().given_times(), 1);
}

TEST(WaitPolicy, WhatIsDueIsDue) {
  for (const PaceMode mode : {PaceMode::kHybrid, PaceMode::kSpin, PaceMode::kSleep}) {
    WaitPolicy policy(mode, 0, true);
    EXPECT_EQ(policy.timeout_ns(100, 100), 0);
    EXPECT_EQ(policy.timeout_ns(100, 50), 0);
    EXPECT_EQ(policy.timeout_ns(100, INT64_MIN), 0);
  }
  WaitPolicy far(PaceMode::kSleep, 0, true);
  EXPECT_EQ(far.timeout_ns(100, INT64_MAX), INT64_MAX - 100);
}

}  // namespace
}  // namespace carronade::pace
