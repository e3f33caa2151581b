#include "dialects/wrk/wrk_units.h"

#include <gtest/gtest.h>

namespace carronade::dialects::wrk {
namespace {

TEST(WrkUnits, Numbers) {
  EXPECT_EQ(read_number("12"), 12U);
  EXPECT_EQ(read_number("1k"), 1'000U);
  EXPECT_EQ(read_number("2M"), 2'000'000U);
  EXPECT_EQ(read_number("3g"), 3'000'000'000U);
  EXPECT_EQ(read_number("1T"), 1'000'000'000'000U);
  EXPECT_EQ(read_number("1p"), 1'000'000'000'000'000U);
  for (const char* text : {"", "x", "1.5", "-1", "+1", "1kk", "1k ", " 1", "1s", "k", "99999p",
                           "18446744073709551616"}) {
    EXPECT_EQ(read_number(text), std::nullopt) << text;
  }
}

TEST(WrkUnits, Seconds) {
  EXPECT_EQ(read_seconds("12"), 12U);
  EXPECT_EQ(read_seconds("12S"), 12U);
  EXPECT_EQ(read_seconds("2m"), 120U);
  EXPECT_EQ(read_seconds("1H"), 3'600U);
  for (const char* text : {"", "1x", "1ms", "1.5s", "-1", "s"}) {
    EXPECT_EQ(read_seconds(text), std::nullopt) << text;
  }
}

TEST(WrkUnits, UnitChangesAt85Percent) {
  EXPECT_EQ(time_text(0), "0.00us");
  EXPECT_EQ(time_text(849), "849.00us");
  EXPECT_EQ(time_text(850), "0.85ms");
  EXPECT_EQ(time_text(849'000), "849.00ms");
  EXPECT_EQ(time_text(850'000), "0.85s");
  EXPECT_EQ(time_text(50e6), "50.00s");
  EXPECT_EQ(time_text(51e6), "0.85m");
  EXPECT_EQ(time_text(7200e6), "120.00m");
  EXPECT_EQ(count_text(849), "849.00");
  EXPECT_EQ(count_text(56'200), "56.20k");
  EXPECT_EQ(count_text(2e6), "2.00M");
  EXPECT_EQ(bytes_text(56), "56.00");
  EXPECT_EQ(bytes_text(870), "870.00");
  EXPECT_EQ(bytes_text(871), "0.85K");
  EXPECT_EQ(bytes_text(17.76 * 1024 * 1024 * 1024), "17.76G");
}

TEST(WrkUnits, WidthsReachToAUnitOfTwoLetters) {
  EXPECT_EQ(time_text(635.91, 8), "635.91us");
  EXPECT_EQ(time_text(890, 10), "    0.89ms");
  EXPECT_EQ(time_text(2e6, 9), "   2.00s ");
  EXPECT_EQ(count_text(0, 8), "  0.00  ");
  EXPECT_EQ(count_text(56'200, 8), " 56.20k ");
}

TEST(WrkUnits, SecondsOfTheHeading) {
  EXPECT_EQ(whole_seconds_text(1), "1s");
  EXPECT_EQ(whole_seconds_text(30), "30s");
  EXPECT_EQ(whole_seconds_text(51), "1m");
  EXPECT_EQ(whole_seconds_text(60), "1m");
  EXPECT_EQ(whole_seconds_text(90), "2m");
  EXPECT_EQ(whole_seconds_text(7'200), "120m");
}

}  // namespace
}  // namespace carronade::dialects::wrk
