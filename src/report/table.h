// Box-drawing tables for a terminal: cells left-aligned with one space of padding, a rule under
// the heading and, if wanted, between all rows. Pure functions: facts in, text out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace carronade::report {

// What a cell means; it becomes a colour only where colours are wanted.
enum class Style : uint8_t { kPlain, kHeading, kName, kGood, kAlarm };

struct Cell {
  std::string text;  // UTF-8, one line
  Style style = Style::kPlain;
};

struct Table {
  std::vector<std::string> heading;
  std::vector<std::vector<Cell>> rows;  // a short row is filled up with empty cells
  bool rules_between_rows = true;
};

// The table as lines, each ending with a newline. `colour` adds ANSI escapes around the text
// of cells and the frame; the visible text is the same with and without.
std::string render_table(const Table& table, bool colour);

// `text` in the colour of its meaning, as it is when `colour` is false.
std::string paint(std::string_view text, Style style, bool colour);

// Columns that UTF-8 text takes on a terminal: 0 for combining marks and control characters, 2
// for East Asian wide characters and emoji, else 1. A byte that is not UTF-8 counts as 1.
int display_width(std::string_view text);
// The longest beginning of `text` that is at most `columns` wide and cuts no character.
std::string_view clip_to_width(std::string_view text, int columns);

}  // namespace carronade::report
