#include "report/table.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace carronade::report {
namespace {

struct CodePoint {
  char32_t value;
  size_t bytes;
};

// The first character of non-empty `text`; an invalid byte stands for itself.
CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  size_t bytes = 1;
  char32_t value = lead;
  if (lead >= 0xC2 && lead <= 0xDF) {
    bytes = 2;
    value = lead & 0x1FU;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    bytes = 3;
    value = lead & 0x0FU;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    bytes = 4;
    value = lead & 0x07U;
  }
  if (bytes > text.size()) return {lead, 1};
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {lead, 1};
    value = (value << 6U) | (next & 0x3FU);
  }
  return {value, bytes};
}

struct Range {
  char32_t first, last;
};

template <size_t N>
bool contains(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](Range range) { return c >= range.first && c <= range.last; });
}

// Blocks of Unicode, not single characters: names of hosts and error texts need no more.
constexpr std::array<Range, 8> kNoWidth{{{0x00, 0x1F},
                                         {0x7F, 0x7F},
                                         {0x300, 0x36F},
                                         {0x1AB0, 0x1AFF},
                                         {0x200B, 0x200F},
                                         {0x20D0, 0x20FF},
                                         {0xFE00, 0xFE0F},
                                         {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 10> kDoubleWidth{{{0x1100, 0x115F},
                                              {0x2E80, 0x303E},
                                              {0x3041, 0xA4CF},
                                              {0xAC00, 0xD7A3},
                                              {0xF900, 0xFAFF},
                                              {0xFE30, 0xFE6F},
                                              {0xFF00, 0xFF60},
                                              {0xFFE0, 0xFFE6},
                                              {0x1F300, 0x1F9FF},
                                              {0x20000, 0x3FFFD}}};

int code_point_width(CodePoint c) {
  if (c.bytes == 1) return c.value < 0x20 || c.value == 0x7F ? 0 : 1;
  if (contains(kNoWidth, c.value)) return 0;
  return contains(kDoubleWidth, c.value) ? 2 : 1;
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kHeading:
    case Style::kGood:
      return "\x1b[36m";
    case Style::kName:
      return "\x1b[1m";
    case Style::kAlarm:
      return "\x1b[91m";
  }
  return "";
}

constexpr std::string_view kFrame = "\x1b[90m";
constexpr std::string_view kReset = "\x1b[0m";

std::string frame(std::string_view text, bool colour) {
  std::string out;
  if (colour) out += kFrame;
  out += text;
  if (colour) out += kReset;
  return out;
}

std::string rule(const std::vector<int>& widths, std::string_view left, std::string_view middle,
                 std::string_view right, bool colour) {
  std::string line{left};
  for (size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += middle;
    for (int n = 0; n < widths[i] + 2; ++n) line += "─";
  }
  line += right;
  return frame(line, colour) + "\n";
}

std::string row_line(const std::vector<Cell>& cells, const std::vector<int>& widths, bool colour) {
  static const Cell kEmpty;
  const std::string bar = frame("│", colour);
  std::string line = bar;
  for (size_t i = 0; i < widths.size(); ++i) {
    const Cell& cell = i < cells.size() ? cells[i] : kEmpty;
    line += ' ';
    line += paint(cell.text, cell.style, colour);
    line.append(static_cast<size_t>(widths[i] - display_width(cell.text)) + 1, ' ');
    line += bar;
  }
  return line + "\n";
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += code_point_width(c);
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string_view clip_to_width(std::string_view text, int columns) {
  size_t bytes = 0;
  int width = 0;
  while (bytes < text.size()) {
    const CodePoint c = first_code_point(text.substr(bytes));
    width += code_point_width(c);
    if (width > columns) break;
    bytes += c.bytes;
  }
  return text.substr(0, bytes);
}

std::string paint(std::string_view text, Style style, bool colour) {
  const std::string_view escape = escape_of(style);
  if (!colour || escape.empty() || text.empty()) return std::string(text);
  std::string out{escape};
  out += text;
  out += kReset;
  return out;
}

std::string render_table(const Table& table, bool colour) {
  std::vector<Cell> heading;
  heading.reserve(table.heading.size());
  for (const std::string& text : table.heading) heading.push_back({text, Style::kHeading});

  size_t columns = heading.size();
  for (const auto& row : table.rows) columns = std::max(columns, row.size());
  std::vector<int> widths(columns, 0);
  const auto widen = [&widths](const std::vector<Cell>& row) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i].text));
    }
  };
  widen(heading);
  for (const auto& row : table.rows) widen(row);

  const std::string between = rule(widths, "├", "┼", "┤", colour);
  std::string out = rule(widths, "┌", "┬", "┐", colour);
  out += row_line(heading, widths, colour);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (i == 0 || table.rules_between_rows) out += between;
    out += row_line(table.rows[i], widths, colour);
  }
  return out + rule(widths, "└", "┴", "┘", colour);
}

}  // namespace carronade::report
