#include "report/table.h"

#include <gtest/gtest.h>

namespace carronade::report {
namespace {

TEST(Table, CellsAreLeftAlignedWithOneSpaceAndRulesBetweenRows) {
  const Table table{{"Stat", "50%"}, {{{"Latency"}, {"1 ms"}}, {{"x"}, {"22 ms"}}}};
  EXPECT_EQ(render_table(table, false),
            "┌─────────┬───────┐\n"
            "│ Stat    │ 50%   │\n"
            "├─────────┼───────┤\n"
            "│ Latency │ 1 ms  │\n"
            "├─────────┼───────┤\n"
            "│ x       │ 22 ms │\n"
            "└─────────┴───────┘\n");
}

TEST(Table, RulesBetweenRowsCanBeLeftOut) {
  const Table table{{"a"}, {{{"1"}}, {{"2"}}}, false};
  EXPECT_EQ(render_table(table, false), "┌───┐\n│ a │\n├───┤\n│ 1 │\n│ 2 │\n└───┘\n");
}

TEST(Table, MicroSignTakesOneColumn) {
  const Table table{{"a"}, {{{"64.1 µs"}}, {{"1.52 ms"}}}, false};
  EXPECT_EQ(render_table(table, false),
            "┌─────────┐\n│ a       │\n├─────────┤\n│ 64.1 µs │\n│ 1.52 ms │\n└─────────┘\n");
}

TEST(Table, ShortRowsAreFilledAndLongRowsWidenTheTable) {
  const Table table{{"a", "b"}, {{{"1"}}, {{"1"}, {"2"}, {"3"}}}, false};
  EXPECT_EQ(render_table(table, false),
            "┌───┬───┬───┐\n│ a │ b │   │\n├───┼───┼───┤\n"
            "│ 1 │   │   │\n│ 1 │ 2 │ 3 │\n└───┴───┴───┘\n");
}

TEST(Table, NoRowsIsAHeadingInABox) {
  EXPECT_EQ(render_table({{"a"}, {}}, false), "┌───┐\n│ a │\n└───┘\n");
}

std::string without_escapes(std::string text) {
  for (size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  return text;
}

TEST(Table, ColoursChangeNothingButEscapes) {
  const Table table{{"Code"}, {{{"404", Style::kAlarm}}, {{"200", Style::kGood}}, {{"n"}}}};
  const std::string coloured = render_table(table, true);
  EXPECT_NE(coloured.find("\x1b[91m404\x1b[0m"), std::string::npos);
  EXPECT_NE(coloured.find("\x1b[36mCode\x1b[0m"), std::string::npos);
  EXPECT_EQ(without_escapes(coloured), render_table(table, false));
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("µs"), 2);
  EXPECT_EQ(display_width("e\u0301"), 1);  // combining acute
  EXPECT_EQ(display_width("日本"), 4);
  EXPECT_EQ(display_width("😀"), 2);
  EXPECT_EQ(display_width("─│"), 2);
}

TEST(DisplayWidth, BytesThatAreNotUtf8CountOneEach) {
  EXPECT_EQ(display_width("\xff\xfe"), 2);
  EXPECT_EQ(display_width("a\xc3"), 2);     // cut in the middle of a character
  EXPECT_EQ(display_width("\xe2\x82"), 2);  // likewise
  EXPECT_EQ(display_width("\xc3(b"), 3);
}

TEST(ClipToWidth, CutsBetweenCharacters) {
  EXPECT_EQ(clip_to_width("abc", 5), "abc");
  EXPECT_EQ(clip_to_width("abc", 2), "ab");
  EXPECT_EQ(clip_to_width("µµµ", 2), "µµ");
  EXPECT_EQ(clip_to_width("日本", 3), "日");
  EXPECT_EQ(clip_to_width("abc", 0), "");
}

}  // namespace
}  // namespace carronade::report
