#include "dialects/carronade/carronade_rate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "dialects/carronade/spec_test_support.h"

namespace carronade::dialects {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
Outcome make(Words args, Form form = Form::kPlain) {
  args.emplace_back("http://127.0.0.1:8080/");
  return outcome_of(args, form);
}

Outcome good(Words args, Form form = Form::kPlain) { return accepted(make(std::move(args), form)); }

void expect_constant(const Outcome& o, double rate) {
  ASSERT_EQ(o.rate().stages.size(), 1U);
  ASSERT_EQ(o.rate().stages[0].segments.size(), 1U);
  const RateSegment& segment = o.rate().stages[0].segments[0];
  EXPECT_DOUBLE_EQ(segment.from, rate);
  EXPECT_DOUBLE_EQ(segment.to, rate);
  EXPECT_EQ(segment.duration_ns, RateSegment::kEndless);
}

TEST(CarronadeRate, AClosedLoopHasNone) {
  const Outcome o = good({});
  EXPECT_FALSE(o.spec().rate);
  EXPECT_TRUE(o.spec().connection_stages.empty());
  EXPECT_FALSE(o.spec().find_warmup);
  EXPECT_EQ(o.facts().load, "");
}

TEST(CarronadeRate, EverySpellingOfTheTotal) {
  for (const Words& args : {Words{"-R", "200"}, Words{"--rate=200/s"}, Words{"-R0.2k"},
                            Words{"--overallRate", "12000/m"}}) {
    const Outcome o = good(args);
    expect_constant(o, 200);
    EXPECT_EQ(o.spec().duration_ns, 10 * kSecond);
    EXPECT_EQ(o.spec().connections, 10U);
    EXPECT_EQ(o.facts().load, "200/s");
    EXPECT_EQ(o.facts().arrivals, "even");
  }
  expect_constant(good({"-R", "30/m"}), 0.5);
}

TEST(CarronadeRate, ARateOfEachConnectionIsATotal) {
  const Outcome o = good({"-r", "5", "-c", "20"});
  expect_constant(o, 100);
  EXPECT_EQ(o.facts().load, "100/s (5/s on each of 20 connections)");
}

TEST(CarronadeRate, LimitsAreAsWithoutARate) {
  const Outcome amount = good({"-R", "200", "-a", "50"});
  EXPECT_EQ(amount.spec().amount, 50U);
  EXPECT_EQ(amount.spec().duration_ns, std::nullopt);
  EXPECT_EQ(good({"-R", "200", "-a", "50", "-d", "3"}).spec().duration_ns, 3 * kSecond);
}

TEST(CarronadeRate, Wrk2sCommandLine) {
  const Outcome o = good({"-R", "2000", "-c", "50", "-w", "2", "-d", "30", "-U"});
  expect_constant(o, 2000);
  EXPECT_EQ(o.spec().connections, 50U);
  EXPECT_EQ(o.spec().workers, 2U);
  EXPECT_EQ(o.spec().duration_ns, 30 * kSecond);
  EXPECT_TRUE(o.facts().uncorrected);
  EXPECT_TRUE(o.facts().latency_table);
}

TEST(CarronadeRate, SettingsOfTheSchedule) {
  const Outcome o =
      good({"-R", "200", "--arrivals", "poisson", "--seed", "7", "--max-connections", "1k",
            "--overflow", "drop", "--max-backlog", "9", "--pace", "spin", "-C"});
  EXPECT_EQ(o.rate().arrivals, Arrivals::kPoisson);
  EXPECT_EQ(o.rate().seed, 7U);
  EXPECT_EQ(o.rate().max_connections, 1000U);
  EXPECT_EQ(o.rate().overflow, Overflow::kDrop);
  EXPECT_EQ(o.rate().max_backlog, 9U);
  EXPECT_EQ(o.rate().pace, PaceMode::kSpin);
  EXPECT_TRUE(o.facts().service_time);
  EXPECT_EQ(o.facts().max_connections, 1000U);
  EXPECT_EQ(o.facts().arrivals, "poisson, seed 7");
  EXPECT_TRUE(o.facts().random_arrivals);

  const Outcome burst = good({"-R", "200", "--arrivals", "burst:5"});
  EXPECT_EQ(burst.rate().arrivals, Arrivals::kBurst);
  EXPECT_EQ(burst.rate().burst, 5U);
  EXPECT_EQ(burst.facts().arrivals, "bursts of 5");
  EXPECT_FALSE(burst.facts().random_arrivals);
}

TEST(CarronadeRate, DefaultsOfTheSchedule) {
  const RateSpec asked = good({"-R", "1"}).rate();
  const RateSpec defaults;
  EXPECT_EQ(asked.arrivals, defaults.arrivals);
  EXPECT_EQ(asked.seed, defaults.seed);
  EXPECT_EQ(asked.overflow, defaults.overflow);
  EXPECT_EQ(asked.max_connections, defaults.max_connections);
  EXPECT_EQ(asked.max_backlog, defaults.max_backlog);
  EXPECT_EQ(asked.pace, defaults.pace);
}

TEST(CarronadeRate, AShapeLastsAsLongAsItsParts) {
  const Outcome ramp = good({"--ramp", "10..500/30s"});
  EXPECT_EQ(ramp.spec().duration_ns, 30 * kSecond);
  EXPECT_EQ(ramp.facts().duration_s, 30);
  ASSERT_EQ(ramp.rate().stages.size(), 1U);
  EXPECT_DOUBLE_EQ(ramp.rate().stages[0].segments.at(0).from, 10);
  EXPECT_DOUBLE_EQ(ramp.rate().stages[0].segments.at(0).to, 500);
  EXPECT_EQ(ramp.facts().load, "--ramp 10..500/30s");

  const Outcome stages = good({"--stages", "10s:100, 30s:100..1000, 5s:0"});
  EXPECT_EQ(stages.spec().duration_ns, 45 * kSecond);
  EXPECT_EQ(stages.rate().stages.size(), 3U);
  EXPECT_EQ(good({"--step", "100..300:100/2s"}).spec().duration_ns, 6 * kSecond);
  // An amount may end it sooner, but nothing makes it longer.
  EXPECT_EQ(good({"--ramp", "10..500/30s", "-a", "5"}).spec().duration_ns, 30 * kSecond);
}

TEST(CarronadeRate, ADurationEndsAShapeSoonerOrHoldsItsLastRate) {
  const Outcome shorter = good({"--ramp", "10..500/30s", "-d", "5"});
  EXPECT_EQ(shorter.spec().duration_ns, 5 * kSecond);
  EXPECT_EQ(shorter.rate().stages.size(), 1U);

  const Outcome longer = good({"--ramp", "10..500/30s", "-d", "1m"});
  EXPECT_EQ(longer.spec().duration_ns, 60 * kSecond);
  ASSERT_EQ(longer.rate().stages.size(), 2U);
  EXPECT_EQ(longer.rate().stages[1].name, "30s at 500/s");
  const RateSegment& held = longer.rate().stages[1].segments.at(0);
  EXPECT_DOUBLE_EQ(held.from, 500);
  EXPECT_DOUBLE_EQ(held.to, 500);
  EXPECT_EQ(held.duration_ns, RateSegment::kEndless);
}

TEST(CarronadeRate, ASineHasNoEndOfItsOwn) {
  const Outcome o = good({"--sine", "100..300/20s"});
  EXPECT_EQ(o.spec().duration_ns, 10 * kSecond);
  EXPECT_EQ(o.rate().stages.size(), 1U);
  EXPECT_EQ(good({"--sine", "100..300/20s", "-d", "1h"}).rate().stages.size(), 1U);
}

TEST(CarronadeRate, AFileOfRates) {
  std::string path = "/tmp/carronade_rates_XXXXXX";
  const int fd = ::mkstemp(path.data());
  ASSERT_GE(fd, 0);
  ::close(fd);
  std::ofstream(path) << "0,10\n5,20\n";
  const Outcome o = good({"--rate-file", path});
  ::unlink(path.c_str());
  EXPECT_EQ(o.spec().duration_ns, 5 * kSecond);
  EXPECT_NE(make({"--rate-file", path}).error.find(path), std::string::npos);
}

TEST(CarronadeRate, StagesOfConnectionsAreAClosedLoop) {
  const Outcome o = good({"--stages-connections", "10s:10..200, 30s:150", "-w", "4"});
  EXPECT_FALSE(o.spec().rate);
  ASSERT_EQ(o.spec().connection_stages.size(), 2U);
  EXPECT_EQ(o.spec().connections, 200U);
  EXPECT_EQ(o.spec().workers, 4U);
  EXPECT_EQ(o.spec().duration_ns, 40 * kSecond);
  EXPECT_EQ(o.facts().connections, 200U);
  EXPECT_TRUE(o.facts().changing_connections);
  EXPECT_EQ(o.facts().load, "");
  EXPECT_EQ(good({"--stages-connections", "10s:5", "-d", "20"}).spec().duration_ns, 20 * kSecond);
}

TEST(CarronadeRate, OnlyOneLoad) {
  EXPECT_EQ(make({"-R", "5", "--ramp", "1..2/3s"}).error,
            "--rate and --ramp both say how much load there is to be: give one of them");
  EXPECT_EQ(make({"-r", "5", "-R", "5"}).error,
            "--connectionRate and --rate both say how much load there is to be: give one of them");
  EXPECT_NE(make({"--sine", "1..2/3s", "--stages-connections", "1s:1"}).error, "");
  expect_constant(good({"-R", "5", "--overallRate", "6"}), 6);  // one flag: the last one holds
}

TEST(CarronadeRate, WhatHasNoEffectWithoutARateIsRefused) {
  for (const Words& args :
       {Words{"--arrivals", "poisson"}, Words{"--seed", "1"}, Words{"--max-connections", "20"},
        Words{"--overflow", "drop"}, Words{"--max-backlog", "5"}, Words{"--pace", "spin"},
        Words{"--uncorrected"}}) {
    EXPECT_EQ(make(args).error, args[0] + " has no effect without a rate: add --rate N");
    Words staged = args;
    staged.insert(staged.end(), {"--stages-connections", "1s:1"});
    EXPECT_EQ(make(staged).error, args[0] + " has no effect without a rate: add --rate N");
  }
}

TEST(CarronadeRate, RefusedCombinationsAndNumbers) {
  EXPECT_EQ(make({"-R", "0"}).error, "the rate must be greater than 0");
  EXPECT_EQ(make({"-r", "1M", "-c", "2k"}).error, "the rate can not be more than 10,000,000/s");
  EXPECT_EQ(make({"-R", "5", "--max-connections", "3"}).error,
            "max-connections can not be less than the 10 of --connections");
  EXPECT_EQ(make({"-R", "5", "--max-connections", "2M"}).error,
            "max-connections can not be more than 1,000,000");
  EXPECT_EQ(make({"-R", "5", "--max-backlog", "0"}).error, "max-backlog can not be less than 1");
  EXPECT_EQ(make({"-R", "5", "--seed", "-1"}).error, "seed can not be less than 0");
  EXPECT_TRUE(make({"-R", "5", "-M", "5"}).error.starts_with("maxConnectionRequests does not go"));
  EXPECT_EQ(make({"--stages-connections", "1s:5", "-c", "5"}).error,
            "--stages-connections says how many connections there are: leave -c out");
}

TEST(CarronadeRate, BadTextNamesTheFlagAsItWasWritten) {
  for (const Words& args :
       {Words{"-R", "fast"}, Words{"--overallRate", "fast"}, Words{"-r", "fast"},
        Words{"--ramp", "fast"}, Words{"--stages", "fast"}, Words{"--step", "fast"},
        Words{"--sine", "fast"}, Words{"--stages-connections", "fast"}, Words{"--arrivals", "fast"},
        Words{"--seed", "fast"}}) {
    const std::string error = make(args).error;
    EXPECT_TRUE(error.starts_with(args[0] + ": ")) << error;
    EXPECT_NE(error.find("\"fast\""), std::string::npos) << error;
  }
  EXPECT_EQ(make({"-R", "5", "--overflow", "fast"}).error,
            "--overflow: \"fast\" is none of queue, drop");
  EXPECT_EQ(make({"-R", "5", "--pace", "fast"}).error,
            "--pace: \"fast\" is none of hybrid, spin, sleep");
}

TEST(CarronadeRate, StrictFormFollowsAutocannon) {
  const Outcome each = good({"-r", "5", "-R", "3", "-c", "4"}, Form::kStrict);
  expect_constant(each, 20);
  EXPECT_EQ(each.spec().connections, 4U);
  const Outcome few = good({"-R", "3", "-c", "10"}, Form::kStrict);
  expect_constant(few, 3);
  EXPECT_EQ(few.spec().connections, 3U);
  EXPECT_EQ(few.facts().connections, 3U);
  EXPECT_EQ(good({"-R", "3", "-c", "10"}).spec().connections, 10U);

  for (const auto& [args, text] : std::vector<std::pair<Words, std::string>>{
           {{"-R", "0.5"}, "bailout overallRate can not be less than 1"},
           {{"-r", "0"}, "connectionRate can not be less than 1"},
           {{"-C"},
            "ignoreCoordinatedOmission makes no sense without connectionRate or overallRate"}}) {
    const Outcome refused = make(args, Form::kStrict);
    EXPECT_EQ(refused.error, text);
    EXPECT_TRUE(refused.exits_ok);
  }
  EXPECT_EQ(good({"-R", "3", "-a", "30", "-d", "4"}, Form::kStrict).spec().duration_ns,
            std::nullopt);
}

TEST(CarronadeRate, AWarmupHasTheRateOfTheRunUnlessItHasOneItself) {
  const Outcome inherits = good({"-R", "200", "-W", "[", "-c", "2", "-d", "3", "]"});
  ASSERT_TRUE(inherits.job->warmup);
  const RunSpec& warm = inherits.job->warmup->spec;
  ASSERT_TRUE(warm.rate);
  EXPECT_DOUBLE_EQ(warm.rate->stages.at(0).segments.at(0).from, 200);
  EXPECT_EQ(warm.connections, 2U);
  EXPECT_EQ(warm.duration_ns, 3 * kSecond);
  EXPECT_EQ(inherits.spec().connections, 10U);

  const Outcome own = good({"--ramp", "1..9/30s", "-c", "5", "-W", "[", "-R", "7", "]"});
  EXPECT_DOUBLE_EQ(own.job->warmup->spec.rate.value().stages.at(0).segments.at(0).from, 7);
  EXPECT_EQ(own.job->warmup->spec.connections, 5U);
  EXPECT_EQ(own.job->warmup->spec.duration_ns, 10 * kSecond);

  const Outcome staged =
      good({"--stages-connections", "30s:1..9", "-W", "[", "-c", "2", "-d", "3", "]"});
  EXPECT_TRUE(staged.job->warmup->spec.connection_stages.empty());
  EXPECT_EQ(staged.job->warmup->spec.connections, 2U);
  EXPECT_EQ(good({"--stages-connections", "30s:1..9", "-W", "3s"})
                .job->warmup->spec.connection_stages.size(),
            1U);
}

TEST(CarronadeRate, AWarmupCanBeFound) {
  EXPECT_TRUE(good({"--warmup", "auto"}).spec().find_warmup);
  EXPECT_FALSE(good({"--warmup", "auto"}).job->warmup);
  EXPECT_TRUE(good({"-R", "5", "-W", "auto"}).spec().find_warmup);
  EXPECT_TRUE(good({"--stages", "1s:5, 2s:5", "-W", "auto"}).spec().find_warmup);
  const Outcome both = good({"-W", "[", "-d", "3", "]", "-W", "auto"});
  EXPECT_TRUE(both.spec().find_warmup);
  ASSERT_TRUE(both.job->warmup);
  EXPECT_FALSE(both.job->warmup->spec.find_warmup);

  for (const Words& load : {Words{"--ramp", "1..2/3s"}, Words{"--stages", "1s:1, 1s:2"},
                            Words{"--sine", "1..2/3s"}, Words{"--stages-connections", "1s:1..2"}}) {
    Words args = load;
    args.insert(args.end(), {"-W", "auto"});
    EXPECT_EQ(make(args).error,
              "--warmup auto needs a steady load, and that of " + load[0] + " changes by itself");
  }
  EXPECT_EQ(make({"-W", "[", "-W", "auto", "]"}).error,
            "--warmup: a warm-up has no warm-up of its own");
}

TEST(CarronadeRate, FilesMustDiffer) {
  EXPECT_EQ(make({"--hdr", "x", "--hgrm", "x"}).error,
            "--hdr and --hgrm are two files: x is named for both");
  EXPECT_EQ(make({"--hdr", "x", "--hgrm", "y"}).error, "");
  EXPECT_EQ(make({"--hdr", ""}).error, "--hdr: the path is empty");
}

TEST(CarronadeRate, LengthsThatCannotBeAddedAreEndless) {
  LoadOption load;
  EXPECT_EQ(load_length_ns(load), std::nullopt);
  load.connection_stages = {{1, 1, RateSegment::kEndless - 1}, {1, 1, 5}};
  EXPECT_EQ(load_length_ns(load), std::nullopt);
  load.connection_stages = {{1, 1, 7}, {1, 1, 5}};
  EXPECT_EQ(load_length_ns(load), 12);
}

}  // namespace
}  // namespace carronade::dialects
