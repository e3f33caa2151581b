// Small text helpers that know nothing of HTTP. ASCII only; letter case as in ASCII.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"

namespace carronade::base {

bool iequals(std::string_view a, std::string_view b);
std::string to_lower(std::string_view text);
std::string_view trim(std::string_view text);  // spaces, tabs, CR, LF at both ends
std::vector<std::string_view> split(std::string_view text, char separator);  // keeps empty parts

// Edits (insert, delete, replace, swap of neighbours) from a to b.
int edit_distance(std::string_view a, std::string_view b);
// The candidate with the least distance to `word`, "" when none is near (more than a third of
// the word's length, at least 2).
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// Base64 (RFC 4648), with padding.
std::string base64(std::string_view bytes);

// A token as HTTP and its kin define it: letters, digits and !#$%&'*+-.^_`|~, at least one.
bool is_token(std::string_view text);

// Bytes as one line for a terminal: printable ASCII and well-formed UTF-8 as they are; control
// characters (newlines and those of Unicode that turn the direction of text too) and bytes that
// are no UTF-8 as \xNN. Doing it twice changes nothing.
std::string printable(std::string_view bytes);

// As text of an HTML page or of a quoted attribute: & < > " are no markup any more.
std::string html_escaped(std::string_view text);

// The whole file, byte for byte; "-" is standard input. The error names the path and the reason;
// more than `most_bytes` is one.
Expected<std::string> read_file(const std::string& path, size_t most_bytes = SIZE_MAX);

// The system's text for an errno, thread-safe.
std::string errno_text(int error);

}  // namespace carronade::base
