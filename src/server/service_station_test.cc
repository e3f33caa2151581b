// Queues, capacity and truth on a simulated clock: nothing sleeps.
#include "server/service_station.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.h"
#include "server/wake_guard.h"

namespace carronade::server {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(ServiceQueue, EndlessServersKeepNobodyWaiting) {
  ServiceQueue queue(0);
  EXPECT_EQ(queue.depart_ns(100, 50), 150);
  EXPECT_EQ(queue.depart_ns(100, 10), 110);
}

TEST(ServiceQueue, OneServerFollowsTheRecursion) {
  ServiceQueue queue(1);
  int64_t arrival = 0, previous = 0;
  for (uint64_t k = 0; k < 1000; ++k) {
    arrival += static_cast<int64_t>(base::mix(1, k) % 100);
    const auto service = static_cast<int64_t>(base::mix(2, k) % 90);
    const int64_t departure = queue.depart_ns(arrival, service);
    ASSERT_EQ(departure, std::max(arrival, previous) + service) << k;
    previous = departure;
  }
}

TEST(ServiceQueue, SeveralServersTakeTheNextInLine) {
  ServiceQueue queue(2);
  EXPECT_EQ(queue.depart_ns(0, 100), 100);
  EXPECT_EQ(queue.depart_ns(0, 30), 30);
  EXPECT_EQ(queue.depart_ns(10, 5), 35);  // on the second, when it is free
  EXPECT_EQ(queue.depart_ns(10, 100), 135);
  EXPECT_EQ(queue.depart_ns(10, 1), 101);  // on the first
  EXPECT_EQ(queue.depart_ns(500, 1), 501);
}

TEST(ServiceQueue, FarTimesDoNotOverflow) {
  ServiceQueue queue(1);
  EXPECT_EQ(queue.depart_ns(1000, INT64_MAX), kFarNs);
  EXPECT_EQ(queue.depart_ns(1000, INT64_MAX), kFarNs);
}

TEST(DepartureGate, InOrderItIsADeterministicServer) {
  DepartureGate gate(2000);
  EXPECT_EQ(gate.depart_ns(kMs, 0), kMs);  // idle: at once
  EXPECT_EQ(gate.depart_ns(kMs, 0), kMs + 500'000);
  EXPECT_EQ(gate.depart_ns(kMs + 1, 0), kMs + 1'000'000);
  EXPECT_EQ(gate.depart_ns(9 * kMs, 0), 9 * kMs);
  EXPECT_EQ(DepartureGate(0).depart_ns(7, 0), 7);
}

TEST(DepartureGate, EarlierOnesTakeTheGapsThatAreLeft) {
  DepartureGate gate(1e8);  // 10 ns apart
  EXPECT_EQ(gate.depart_ns(100, 0), 100);
  EXPECT_EQ(gate.depart_ns(120, 0), 120);
  EXPECT_EQ(gate.depart_ns(95, 0), 110);   // exactly between them
  EXPECT_EQ(gate.depart_ns(105, 0), 130);  // no room before
  EXPECT_EQ(gate.depart_ns(90, 0), 90);
  EXPECT_EQ(gate.depart_ns(149, 0), 149);
  EXPECT_EQ(gate.depart_ns(130, 0), 159);  // 140 is too close to 149
}

// Whatever the order: at least the gap apart, never early, and never later than some departure
// a gap earlier made it.
TEST(DepartureGate, KeepsTheDistanceWhateverComes) {
  DepartureGate gate(1e8);
  std::vector<int64_t> departures;
  for (uint64_t k = 0; k < 2000; ++k) {
    const auto now = static_cast<int64_t>(11 * k);
    const int64_t ready = now + static_cast<int64_t>(base::mix(3, k) % 500);
    const int64_t departure = gate.depart_ns(ready, now);
    ASSERT_GE(departure, ready);
    if (departure > ready) {
      ASSERT_NE(std::find(departures.begin(), departures.end(), departure - 10), departures.end());
    }
    departures.push_back(departure);
  }
  std::sort(departures.begin(), departures.end());
  for (size_t i = 1; i < departures.size(); ++i) {
    ASSERT_GE(departures[i] - departures[i - 1], 10) << i;
  }
}

TEST(DepartureGate, ForgetsOnlyWhatIsLongPast) {
  DepartureGate gate(1000);
  EXPECT_EQ(gate.depart_ns(10 * kMs, 0), 10 * kMs);
  EXPECT_EQ(gate.depart_ns(10 * kMs, 900 * kMs), 11 * kMs);   // still known
  EXPECT_EQ(gate.depart_ns(10 * kMs, 5000 * kMs), 10 * kMs);  // forgotten
}

ServerSpec law_spec(const char* text, int queue) {
  ServerSpec spec;
  spec.service = *parse_service(text);
  spec.queue = queue;
  return spec;
}

TEST(ServiceStation, IsNeededOnlyWhereAnswersWaitOrArrivalsAreKept) {
  EXPECT_FALSE(ServiceStation::is_needed(ServerSpec()));
  ServerSpec delay, stall, capacity, record;
  delay.delay_ns = 1;
  stall.stall = {1, 2};
  capacity.capacity = 1;
  record.record_arrivals = 1;
  for (const ServerSpec& spec : {delay, stall, capacity, law_spec("fixed 0ms", 0)}) {
    EXPECT_TRUE(ServiceStation::is_needed(spec));
    EXPECT_TRUE(ServiceStation(spec, 0).delays());
  }
  EXPECT_TRUE(ServiceStation::is_needed(record));
  EXPECT_FALSE(ServiceStation(record, 0).delays());
}

TEST(ServiceStation, TruthIsWhatWasDrawn) {
  const ServerSpec spec = law_spec("lognormal 1ms 0.5", 0);
  ServiceStation station(spec, 0);
  Histogram drawn;
  for (uint64_t k = 0; k < 5000; ++k) {
    const int64_t service = service_ns(*spec.service, spec.seed, k);
    const auto arrival = static_cast<int64_t>(1000 + k);
    ASSERT_EQ(station.admit(arrival, -1, 0), arrival + service);
    drawn.record(service);
  }
  const ServiceTruth truth = station.truth();
  EXPECT_EQ(truth.law, "lognormal 1ms 0.5, seed 1");
  for (const Histogram* h : {&truth.service_ns, &truth.delay_ns}) {
    EXPECT_EQ(h->count(), 5000u);
    EXPECT_EQ(h->sum(), drawn.sum());
    EXPECT_EQ(h->min(), drawn.min());
    EXPECT_EQ(h->max(), drawn.max());
    EXPECT_EQ(h->percentile(99), drawn.percentile(99));
  }
}

// Poisson arrivals at λ = 700/s and exponential service at µ = 1000/s: the time in the system is
// exponential with mean 1 / (µ − λ). 4 % covers the autocorrelation of 400,000 samples.
TEST(ServiceStation, QueueOfOneIsMM1) {
  ServiceStation station(law_spec("exp 1ms", 1), 0);
  double arrival = 0;
  for (uint64_t k = 0; k < 400'000; ++k) {
    arrival -= std::log(base::positive_unit_from(base::mix(1, k))) * 1e9 / 700;
    station.admit(static_cast<int64_t>(arrival), -1, 0);
  }
  const Histogram delay = station.truth().delay_ns;
  const double mean = 1e9 / 300;
  EXPECT_NEAR(delay.mean(), mean, 0.04 * mean);
  for (const double p : {50.0, 90.0, 99.0}) {
    const double truth = -std::log(1 - p / 100) * mean;
    EXPECT_NEAR(static_cast<double>(delay.percentile(p)), truth, 0.04 * truth) << p;
  }
}

TEST(ServiceStation, PathConnectionAndStallHaveTheirSay) {
  ServerSpec spec = law_spec("fixed 2ms", 1);
  spec.stall = {100 * kMs, 1000 * kMs};
  ServiceStation station(spec, 0);
  EXPECT_EQ(station.admit(10 * kMs, -1, 0), 12 * kMs);
  EXPECT_EQ(station.admit(10 * kMs, 5 * kMs, 0), 17 * kMs);  // its path asks for 5 ms
  EXPECT_EQ(station.admit(10 * kMs, -1, 30 * kMs), 30 * kMs);
  EXPECT_EQ(station.admit(20 * kMs, -1, 0), 22 * kMs);
  EXPECT_EQ(station.admit(1000 * kMs, -1, 0), 1100 * kMs);
  const ServiceTruth truth = station.truth();
  EXPECT_EQ(truth.law, "fixed 2ms, queue 1, stall 100ms every 1s");
  EXPECT_EQ(truth.service_ns.max(), 5 * kMs);
  EXPECT_EQ(truth.delay_ns.max(), 100 * kMs);
}

TEST(ServiceStation, CapacityComesBehindTheService) {
  ServerSpec spec = law_spec("fixed 2ms", 0);
  spec.capacity = 1000;
  ServiceStation station(spec, 0);
  EXPECT_EQ(station.admit(0, -1, 0), 2 * kMs);
  EXPECT_EQ(station.admit(0, -1, 0), 3 * kMs);
  EXPECT_EQ(station.admit(0, -1, 0), 4 * kMs);
  EXPECT_EQ(station.truth().law, "fixed 2ms, capacity 1000/s");
}

TEST(ServiceStation, LatenessIsSentMinusDue) {
  ServiceStation station(law_spec("fixed 1ms", 0), 0);
  const std::vector<int64_t> due = {100, 150};
  station.note_sent(due, 160);
  const Histogram lateness = station.truth().lateness_ns;
  EXPECT_EQ(lateness.count(), 2u);
  EXPECT_EQ(lateness.min(), 10);
  EXPECT_EQ(lateness.max(), 60);
}

TEST(ServiceTruth, JsonHasTheSameFigures) {
  ServiceStation station(law_spec("fixed 1ms", 0), 0);
  const auto parse = [&station] {
    return nlohmann::json::parse("{\"x\":1" + station.stats_members() + "}");
  };
  EXPECT_TRUE(parse()["delayNs"]["p99_9"].is_null());
  EXPECT_EQ(parse()["arrivals"], nlohmann::json::array());
  station.admit(500 * kMs, 2000, 0);
  station.admit(500 * kMs, 2001, 0);
  station.admit(2600 * kMs, 4000, 0);
  const nlohmann::json json = parse();
  EXPECT_EQ(json["law"], "fixed 1ms");
  EXPECT_EQ(json["delayNs"]["count"], 3);
  EXPECT_EQ(json["delayNs"]["min"], 2000);
  EXPECT_EQ(json["delayNs"]["p50"], 2001);
  EXPECT_EQ(json["delayNs"]["max"], 4000);
  EXPECT_NEAR(json["delayNs"]["mean"].get<double>(), 8001 / 3.0, 0.1);
  EXPECT_EQ(json["serviceNs"], json["delayNs"]);
  EXPECT_EQ(json["latenessNs"]["count"], 0);
  EXPECT_EQ(json["arrivals"], nlohmann::json({2, 0, 1}));
}

TEST(ArrivalRecord, CountsSecondsAndKeepsTimes) {
  ArrivalRecord record(4);
  record.add(1'000'000'000, 2);
  record.add(999'999'990, 1);  // another thread's, a little before
  record.add(1'999'999'999, 1);
  record.add(2'000'000'000, 5);
  EXPECT_EQ(record.per_second(), (std::vector<uint64_t>{4, 5}));
  EXPECT_EQ(record.times_ns(), (std::vector<int64_t>{0, 10, 10, 1'000'000'009}));
  const auto json = nlohmann::json::parse(arrivals_json(record));
  EXPECT_EQ(json["limit"], 4);
  EXPECT_EQ(json["recorded"], 4);
  EXPECT_EQ(json["ns"], nlohmann::json({0, 10, 10, 1'000'000'009}));
}

TEST(ArrivalRecord, EndsWithItsLastSecond) {
  ArrivalRecord record(0);
  record.add(0, 1);
  record.add(INT64_MAX, 3);
  EXPECT_EQ(record.per_second().size(), ArrivalRecord::kSecondsMax);
  EXPECT_EQ(record.per_second().back(), 3u);
  EXPECT_TRUE(record.times_ns().empty());
}

TEST(WakeGuard, FollowsTheOversleep) {
  WakeGuard guard;
  for (int i = 0; i < 2000; ++i) guard.overslept(i % 10 == 0 ? 70'000 : 20'000);
  EXPECT_GT(guard.guard_ns(), 20'000);
  EXPECT_LT(guard.guard_ns(), 80'000);
  for (int i = 0; i < 2000; ++i) guard.overslept(1'000'000);
  EXPECT_EQ(guard.guard_ns(), WakeGuard::kGuardNsMax);
  for (int i = 0; i < 2000; ++i) guard.overslept(0);
  EXPECT_EQ(guard.guard_ns(), WakeGuard::kGuardNsMin);
}

TEST(WakeGuard, PollsShortlyBeforeOnly) {
  WakeGuard guard;
  const int64_t now = 1'000 * kMs;
  EXPECT_EQ(guard.timer_ns(now), now - guard.guard_ns());
  EXPECT_FALSE(guard.polls(now + guard.guard_ns() + 1, now));
  EXPECT_TRUE(guard.polls(now + guard.guard_ns(), now));
}

// Something is always due at once: no more than the share is spent polling, and when it is spent,
// timers are set to the time itself.
TEST(WakeGuard, BoundsTheShareOfPolling) {
  WakeGuard guard;
  int64_t polled = 0;
  constexpr int64_t kTurn = 10'000, kTurns = 100'000;
  bool spent = false;
  for (int64_t now = 0; now < kTurn * kTurns; now += kTurn) {
    if (guard.polls(now + 1000, now)) {
      polled += kTurn;
    } else {
      spent = spent || guard.timer_ns(now) == now;
    }
  }
  EXPECT_TRUE(spent);
  EXPECT_NEAR(static_cast<double>(polled) / (kTurn * kTurns), 1.0 / WakeGuard::kPollShare, 0.02);
}

}  // namespace
}  // namespace carronade::server
