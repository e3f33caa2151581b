#include "server/behaviour.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace carronade::server {
namespace {

std::vector<bool> draw(double percent, uint64_t seed, int count) {
  ErrorShare share(percent, seed);
  std::vector<bool> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(share.next());
  return drawn;
}

long count(const std::vector<bool>& drawn) { return std::count(drawn.begin(), drawn.end(), true); }

TEST(ErrorShare, ExactInEveryHundred) {
  ErrorShare share(30, 7);
  for (int block = 0; block < 50; ++block) {
    int chosen = 0;
    for (int i = 0; i < 100; ++i) chosen += share.next() ? 1 : 0;
    ASSERT_EQ(chosen, 30) << block;
  }
}

TEST(ErrorShare, FractionsAreCarried) {
  EXPECT_EQ(count(draw(0.5, 1, 10'000)), 50);
  EXPECT_EQ(count(draw(33.3, 1, 100'000)), 33'300);
  EXPECT_EQ(count(draw(0, 1, 1000)), 0);
  EXPECT_EQ(count(draw(100, 1, 1000)), 1000);
}

TEST(ErrorShare, FollowsFromTheSeed) {
  EXPECT_EQ(draw(20, 1, 1000), draw(20, 1, 1000));
  EXPECT_NE(draw(20, 1, 1000), draw(20, 2, 1000));
}

TEST(Stall, AnswersWaitForItsEnd) {
  const StallSpec stall{10, 50};
  const int64_t start = 1000;
  EXPECT_EQ(after_stall(stall, start, 1000), 1000);  // none at the start
  EXPECT_EQ(after_stall(stall, start, 1049), 1049);
  EXPECT_EQ(after_stall(stall, start, 1050), 1060);
  EXPECT_EQ(after_stall(stall, start, 1059), 1060);
  EXPECT_EQ(after_stall(stall, start, 1060), 1060);
  EXPECT_EQ(after_stall(stall, start, 1105), 1110);
  EXPECT_EQ(after_stall(StallSpec{}, start, 1105), 1105);
}

TEST(Behaviour, PathsOverrideOptions) {
  ServerSpec spec;
  spec.delay_ns = 100;
  spec.error_status = 503;
  ServiceStation station(spec, 0);
  Behaviour behaviour(spec, 0, &station);
  Route route;
  EXPECT_EQ(behaviour.next_status(route), 503);
  EXPECT_TRUE(behaviour.may_wait(route));
  EXPECT_FALSE(behaviour.repeatable(route));
  EXPECT_EQ(behaviour.due_ns(route, 1000, 0), 1100);
  route.status = 201;
  route.delay_ns = 0;
  EXPECT_EQ(behaviour.next_status(route), 201);
  EXPECT_EQ(behaviour.due_ns(route, 1000, 0), 1000);
  route.delay_ns = INT64_MAX;
  EXPECT_EQ(behaviour.due_ns(route, 1000, 0), kFarNs);
}

TEST(Behaviour, WithoutAStationOnlyPathsWait) {
  Behaviour behaviour(ServerSpec(), 0, nullptr);
  Route route;
  EXPECT_FALSE(behaviour.may_wait(route));
  EXPECT_TRUE(behaviour.repeatable(route));
  route.delay_ns = 70;
  EXPECT_TRUE(behaviour.may_wait(route));
  EXPECT_FALSE(behaviour.repeatable(route));
  EXPECT_EQ(behaviour.due_ns(route, 1000, 0), 1070);
  EXPECT_EQ(behaviour.due_ns(route, 1000, 1080), 1080);  // behind one that is due later
}

// Paths that ask for no delay do not wait where nothing else makes them.
TEST(Behaviour, RecordingArrivalsMakesNobodyWait) {
  ServerSpec spec;
  spec.record_arrivals = 10;
  ServiceStation station(spec, 0);
  Behaviour behaviour(spec, 0, &station);
  EXPECT_FALSE(behaviour.may_wait(Route()));
  EXPECT_TRUE(behaviour.repeatable(Route()));
}

TEST(Behaviour, WorkersDrawDifferently) {
  ServerSpec spec;
  spec.error_status = 500;
  spec.error_percent = 50;
  Behaviour first(spec, 0, nullptr), second(spec, 1, nullptr);
  std::string a, b;
  for (int i = 0; i < 100; ++i) {
    a += first.next_status(Route()) == 500 ? 'e' : '.';
    b += second.next_status(Route()) == 500 ? 'e' : '.';
  }
  EXPECT_NE(a, b);
}

TEST(ServerSpec, ParsesStalls) {
  const auto stall = parse_stall("1s every 5s");
  ASSERT_TRUE(stall.has_value());
  EXPECT_EQ(stall->duration_ns, 1'000'000'000);
  EXPECT_EQ(stall->period_ns, 5'000'000'000);
  EXPECT_EQ(parse_stall("20ms every 1m")->duration_ns, 20'000'000);
  for (const char* text : {"", "1s", "every 5s", "1s every", "5s every 1s", "5s every 5s",
                           "0s every 5s", "x every 5s"}) {
    const auto refused = parse_stall(text);
    ASSERT_FALSE(refused.has_value()) << text;
    EXPECT_NE(refused.error().text.find(text), std::string::npos) << refused.error().text;
  }
}

TEST(ServerSpec, ParsesCapacities) {
  EXPECT_DOUBLE_EQ(*parse_capacity("2000/s"), 2000);
  EXPECT_DOUBLE_EQ(*parse_capacity("30/m"), 0.5);
  EXPECT_DOUBLE_EQ(*parse_capacity("7"), 7);
  for (const char* text : {"", "0/s", "-1/s", "2000001/s", "5/x", "fast"}) {
    const auto refused = parse_capacity(text);
    ASSERT_FALSE(refused.has_value()) << text;
    EXPECT_NE(refused.error().text.find(text), std::string::npos) << refused.error().text;
  }
}

TEST(ServerSpec, ChecksRanges) {
  const auto refused = [](auto change) {
    ServerSpec spec;
    change(spec);
    return !check_spec(spec).has_value();
  };
  EXPECT_FALSE(refused([](ServerSpec&) {}));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.threads = 0; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.delay_ns = -1; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.error_status = 600; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.error_percent = 101; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.body_bytes = -2; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.stall = {5, 5}; }));
  const ServiceLaw law{.time_ns = 5};
  EXPECT_FALSE(refused([&](ServerSpec& s) { s.service = law, s.queue = 1, s.capacity = 5; }));
  EXPECT_TRUE(refused([&](ServerSpec& s) { s.service = law, s.delay_ns = 1; }));
  EXPECT_TRUE(refused([&](ServerSpec& s) { s.service = law, s.queue = -1; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.queue = 1; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.capacity = 2e6; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.record_arrivals = 200'001; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.certificate_file = "x.pem"; }));
  EXPECT_TRUE(refused([](ServerSpec& s) { s.tls = true, s.key_file = "x.pem"; }));
}

}  // namespace
}  // namespace carronade::server
