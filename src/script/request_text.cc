// HOT.
#include "script/request_text.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace carronade::script {
namespace {

struct Head {
  uint64_t length = 0;
  bool chunked = false;
  bool closes = false;
};

// One line from `at` on, without its end; `at` moves behind it. False: there is no whole line.
bool take_line(std::string_view text, size_t& at, std::string_view& line) {
  const size_t end = text.find('\n', at);
  if (end == std::string_view::npos) return false;
  line = text.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  at = end + 1;
  return true;
}

RequestCut fault(CutFault kind, size_t at) { return {.fault = kind, .end = at}; }

bool is_method(std::string_view word) {
  const bool usual =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return !word.empty() && (usual || base::is_token(word));
}

// "METHOD target HTTP/1.x".
bool is_request_line(std::string_view line) {
  constexpr std::string_view kVersion = " HTTP/1.";
  const size_t version = line.size() - std::min(line.size(), kVersion.size() + 1);
  const size_t space = line.find(' ');
  return line.substr(version, kVersion.size()) == kVersion && space + 1 < version &&
         is_method(line.substr(0, space)) && line.find(' ', space + 1) == version;
}

bool has_word(std::string_view value, std::string_view word) {
  while (!value.empty()) {
    const size_t comma = std::min(value.find(','), value.size());
    if (base::iequals(base::trim(value.substr(0, comma)), word)) return true;
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return false;
}

// Only the fields that say where the request ends and what becomes of the socket.
bool read_field(std::string_view line, Head& head) {
  const char first = static_cast<char>(line[0] | 0x20);
  if (first != 'c' && first != 't') return true;
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = base::trim(line.substr(colon + 1));
  if (base::iequals(name, "Content-Length")) {
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, head.length);
    return error == std::errc() && stop == end;
  }
  if (base::iequals(name, "Transfer-Encoding")) {
    head.chunked = has_word(value, "chunked");
  } else if (base::iequals(name, "Connection")) {
    head.closes = has_word(value, "close") || (head.closes && !has_word(value, "keep-alive"));
  }
  return true;
}

// Behind the last chunk and the trailers.
RequestCut cut_chunks(std::string_view text, size_t at) {
  std::string_view line;
  while (true) {
    const size_t begin = at;
    if (!take_line(text, at, line)) return fault(CutFault::kIncomplete, text.size());
    const std::string_view digits = base::trim(line.substr(0, line.find(';')));
    uint64_t size = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, size, 16);
    if (error != std::errc() || stop != end) return fault(CutFault::kMalformed, begin);
    if (size == 0) break;
    if (size > text.size() - at) return fault(CutFault::kIncomplete, text.size());
    at += size;
    if (!take_line(text, at, line)) return fault(CutFault::kIncomplete, text.size());
    if (!line.empty()) return fault(CutFault::kMalformed, at - line.size());
  }
  do {
    if (!take_line(text, at, line)) return fault(CutFault::kIncomplete, text.size());
  } while (!line.empty());
  return {.end = at};
}

}  // namespace

size_t skip_empty_lines(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == '\r' || text[at] == '\n')) ++at;
  return at;
}

RequestCut cut_request(std::string_view text) {
  const size_t begin = skip_empty_lines(text, 0);
  if (begin == text.size()) return {.begin = begin, .end = begin};
  size_t at = begin;
  std::string_view line;
  if (!take_line(text, at, line)) return fault(CutFault::kIncomplete, text.size());
  if (!is_request_line(line)) return fault(CutFault::kMalformed, begin);
  Head head{.closes = line.ends_with('0')};
  while (true) {
    const size_t line_begin = at;
    if (!take_line(text, at, line)) return fault(CutFault::kIncomplete, text.size());
    if (line.empty()) break;
    if (!read_field(line, head)) return fault(CutFault::kMalformed, line_begin);
  }
  RequestCut cut{.begin = begin, .end = at, .last_on_socket = head.closes};
  if (head.chunked) {
    const RequestCut body = cut_chunks(text, at);
    if (body.fault != CutFault::kNone) return body;
    cut.end = body.end;
  } else if (head.length > text.size() - at) {
    return fault(CutFault::kIncomplete, text.size());
  } else {
    cut.end += head.length;
  }
  return cut;
}

}  // namespace carronade::script
