// What a person reads about a flag table: help text, man page, compatibility table. Each is made
// from the rows alone, so that none of them can lag behind the parser.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/flag_table.h"

namespace carronade::cli {

// The parts of a help text or man page that are not flags.
struct PageFacts {
  std::string program{};               // "carronade"
  std::string version{};               // "0.1.0"
  std::string summary{};               // one line, after "carronade - "
  std::vector<std::string> usage{};    // "carronade [options] URL…"
  std::vector<std::string> opening{};  // paragraphs of the DESCRIPTION
  // Further headings with their paragraphs, for the man page. A paragraph that begins with a
  // space is an example, printed as it stands.
  std::vector<std::pair<std::string, std::vector<std::string>>> closing{};
};

// Usage lines, then the flags under their section headings; at most 100 columns wide.
std::string help_text(const FlagTable& table, const PageFacts& facts);

// A man page in section 1, for man(7) macros.
std::string man_page(const FlagTable& table, const PageFacts& facts);

// Markdown table: option, value, standing, note; one row a flag, in the order of the table.
std::string compat_table(const FlagTable& table);

}  // namespace carronade::cli
