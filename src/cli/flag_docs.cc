#include "cli/flag_docs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/flags.h"

namespace carronade::cli {
namespace {

constexpr size_t kHelpWidth = 100;
constexpr size_t kHelpIndent = 34;

// Headings in the order of their first row.
std::vector<std::string> sections(const FlagTable& table) {
  std::vector<std::string> names;
  for (const Flag& flag : table) {
    const bool known = std::find(names.begin(), names.end(), flag.section) != names.end();
    if (!flag.section.empty() && flag.supported && !known) names.push_back(flag.section);
  }
  return names;
}

// A switch that is on by default is shown, and documented, in the form that turns it off.
bool is_on_by_default(const Flag& flag) {
  return flag.kind == ArgKind::kSwitch && flag.default_text == "on";
}

// The letter first, then the long names: "-c, --connections". The help takes one name only.
std::string spellings(const Flag& flag, bool all_names) {
  const bool off = is_on_by_default(flag);
  std::string text;
  if (flag.letter != 0) text = std::string("-") + flag.letter + (off ? "=false" : "");
  const auto add = [&text, off](const std::string& name) {
    text += (text.empty() ? "--" : ", --") + (off ? "no-" + name : name);
  };
  if (!flag.name.empty()) add(flag.name);
  if (!all_names) return text;
  for (const std::string& alias : flag.aliases) add(alias);
  return text;
}

std::string help_spelling(const Flag& flag) {
  std::string text = (flag.letter == 0 ? "    " : "") + spellings(flag, false);
  return flag.hint.empty() ? text : text + " " + flag.hint;
}

size_t display_width(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(utf8.begin(), utf8.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  }));
}

std::string wrapped(const std::string& text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  for (const std::string& word : split_words(text)) {
    const size_t size = display_width(word);
    if (column > indent && column + 1 + size > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += size;
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// Text for man(7): backslashes and dashes escaped, no line that begins with a control character.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string roff_paragraphs(const std::vector<std::string>& paragraphs) {
  std::string out;
  for (const std::string& text : paragraphs) {
    const bool example = text.starts_with(' ');
    out += example ? ".PP\n.nf\n.RS 4\n" + roff(text.substr(text.find_first_not_of(' '))) +
                         "\n.RE\n.fi\n"
                   : ".PP\n" + roff(text) + "\n";
  }
  return out;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace

std::string help_text(const FlagTable& table, const PageFacts& facts) {
  std::string out;
  for (size_t i = 0; i < facts.usage.size(); ++i) {
    out += (i == 0 ? "Usage: " : "       ") + facts.usage[i] + "\n";
  }
  for (const std::string& text : facts.opening) out += "\n" + wrapped(text, 0, kHelpWidth) + "\n";
  for (const std::string& section : sections(table)) {
    out += "\n" + section + ":\n";
    for (const Flag& flag : table) {
      if (flag.section != section || !flag.supported) continue;
      std::string line = "  " + help_spelling(flag);
      const size_t width = display_width(line);
      line += width + 2 > kHelpIndent ? "\n" + std::string(kHelpIndent, ' ')
                                      : std::string(kHelpIndent - width, ' ');
      const bool tell_default = !flag.default_text.empty() && flag.kind != ArgKind::kSwitch;
      const std::string doc =
          tell_default ? flag.doc + " (default " + flag.default_text + ")" : flag.doc;
      out += line + wrapped(doc, kHelpIndent, kHelpWidth) + "\n";
    }
  }
  return out;
}

std::string man_page(const FlagTable& table, const PageFacts& facts) {
  std::string out = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", upper(facts.program),
                                facts.program, facts.version);
  out += ".SH NAME\n" + facts.program + " \\- " + roff(facts.summary) + "\n.SH SYNOPSIS\n";
  for (size_t i = 0; i < facts.usage.size(); ++i) {
    out += (i > 0 ? ".br\n" : "") + roff(facts.usage[i]) + "\n";
  }
  out += ".SH DESCRIPTION\n" + roff_paragraphs(facts.opening) + ".SH OPTIONS\n";
  for (const std::string& section : sections(table)) {
    out += ".SS \"" + section + "\"\n";
    for (const Flag& flag : table) {
      if (flag.section != section || !flag.supported) continue;
      out += ".TP\n\\fB" + roff(spellings(flag, true)) + "\\fR";
      if (!flag.hint.empty()) out += " \\fI" + roff(flag.hint) + "\\fR";
      out += "\n" + roff(sentence(flag.doc)) + "\n";
      if (!flag.more.empty()) out += roff(flag.more) + "\n";
      if (flag.repeatable) out += "May be given more than once.\n";
      if (!flag.default_text.empty() && !is_on_by_default(flag))
        out += "Default: " + roff(flag.default_text) + ".\n";
    }
  }
  for (const auto& [heading, paragraphs] : facts.closing) {
    out += ".SH \"" + upper(heading) + "\"\n" + roff_paragraphs(paragraphs);
  }
  return out;
}

std::string compat_table(const FlagTable& table) {
  std::string out = "| option | value | standing | note |\n|---|---|---|---|\n";
  for (const Flag& flag : table) {
    if (flag.compat.empty()) continue;
    const size_t colon = flag.compat.find(": ");
    const std::string standing = flag.compat.substr(0, colon);
    const std::string note = colon == std::string::npos ? "" : flag.compat.substr(colon + 2);
    std::string value = flag.hint.empty() ? "" : "`" + flag.hint + "`";
    out += fmt::format("| `{}` | {} | {} | {} |\n", markdown_cell(spellings(flag, true)),
                       markdown_cell(value), standing, markdown_cell(note));
  }
  return out;
}

}  // namespace carronade::cli
