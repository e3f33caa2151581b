#include "script/script_stats.h"

#include <gtest/gtest.h>

#include <lua.hpp>
#include <string>

#include "script/lua_state.h"

namespace carronade::script {
namespace {

ScriptStats four() {
  return {.min = 1, .max = 9, .mean = 4.5, .stdev = 3.5, .values = {{1, 1}, {3, 2}, {9, 1}}};
}

TEST(ScriptStats, NearestRank) {
  const ScriptStats stats = four();
  EXPECT_EQ(stats.count(), 4U);
  EXPECT_EQ(stats.percentile(0), 1U);
  EXPECT_EQ(stats.percentile(25), 1U);
  EXPECT_EQ(stats.percentile(50), 3U);
  EXPECT_EQ(stats.percentile(75), 3U);
  EXPECT_EQ(stats.percentile(75.1), 9U);
  EXPECT_EQ(stats.percentile(100), 9U);
  EXPECT_EQ(stats.percentile(1000), 9U);
  EXPECT_EQ(ScriptStats().percentile(50), 0U);
}

TEST(ScriptStats, RankOfWholeNumbersIsNotRoundedUp) {
  ScriptStats stats;
  for (uint64_t i = 1; i <= 100'000; ++i) stats.values.emplace_back(i, 1);
  EXPECT_EQ(stats.percentile(99), 99'000U);
  EXPECT_EQ(stats.percentile(99.9), 99'900U);
  EXPECT_EQ(stats.percentile(99.999), 99'999U);
}

TEST(ScriptStats, WrksRankIsOneAboveForAnEvenCount) {
  ScriptStats stats{.values = {{1, 1}, {2, 1}}};
  EXPECT_EQ(stats.percentile(50), 1U);
  stats.rank_above = true;
  EXPECT_EQ(stats.percentile(50), 2U);
}

TEST(ScriptStats, AsLuaObject) {
  LuaState state = LuaState::create().value();
  const ScriptStats stats = four();
  push_stats(state.get(), stats);
  lua_setglobal(state.get(), "s");
  const auto ran = state.run_text(
      "assert(s.min == 1 and s.max == 9 and s.mean == 4.5 and s.stdev == 3.5)\n"
      "assert(#s == 3 and s:percentile(50) == 3 and s.other == nil)\n"
      "local value, count = s(2)\n"
      "assert(value == 3 and count == 2)\n"
      "value, count = s(4)\n"
      "assert(value == 0 and count == 0)\n"
      "assert(not pcall(function() s.min = 2 end))",
      "test");
  EXPECT_TRUE(ran) << ran.error().text;
}

}  // namespace
}  // namespace carronade::script
