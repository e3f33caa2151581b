#include "dialects/loadtest/loadtest_index.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <memory>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "http/request_writer.h"

namespace carronade::dialects::loadtest {
namespace {

using Then = IndexText::Piece::Then;

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatch {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

// What JavaScript's expressions have in another way than Perl's.
constexpr uint32_t kAsJavaScript = PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS |
                                   PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY | PCRE2_UTF |
                                   PCRE2_MATCH_INVALID_UTF;

std::string pcre_text(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

size_t characters_end(std::string_view text, size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

std::vector<std::string> whole_text(std::string_view text) { return {std::string(text)}; }

// Behind the parts of `list` that are joined by indices.
void append_cut(const std::vector<std::string>& parts, std::vector<IndexText::Piece>& pieces) {
  for (size_t i = 0; i < parts.size(); ++i) {
    const Then then = i + 1 < parts.size() ? Then::kIndex : Then::kNothing;
    if (!pieces.empty() && pieces.back().then == Then::kNothing) {
      pieces.back().text += parts[i];
      pieces.back().then = then;
    } else {
      pieces.push_back({.then = then, .text = parts[i]});
    }
  }
}

size_t digits(uint64_t number) {
  size_t count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

void append_number(uint64_t number, std::string& out) {
  std::array<char, 20> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
}

Expected<IndexText> message_text(const std::string& pattern, const Request& request) {
  IndexText text;
  text.websocket = true;
  const auto parts = cut_at_matches(pattern, request.body);
  if (!parts) return unexpected(parts.error());
  append_cut(*parts, text.pieces);
  return text;
}

}  // namespace

Expected<std::vector<std::string>> cut_at_matches(const std::string& pattern,
                                                  std::string_view text) {
  int error = 0;
  PCRE2_SIZE error_at = 0;
  const std::unique_ptr<pcre2_code, FreeCode> code(
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), kAsJavaScript,
                    &error, &error_at, nullptr));
  if (!code) {
    return unexpected(fmt::format("--index: {} at character {} of the regular expression",
                                  pcre_text(error), error_at));
  }
  const std::unique_ptr<pcre2_match_data, FreeMatch> match(
      pcre2_match_data_create_from_pattern(code.get(), nullptr));
  std::vector<std::string> parts;
  size_t begin = 0;  // of the part that is open
  for (size_t at = 0; at <= text.size();) {
    const int found = pcre2_match(code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                  text.size(), at, 0, match.get(), nullptr);
    if (found == PCRE2_ERROR_NOMATCH) break;
    if (found < 0) return unexpected("--index: " + pcre_text(found));
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match.get());
    parts.emplace_back(text.substr(begin, ends[0] - begin));
    begin = ends[1];
    at = ends[1] > ends[0] ? ends[1] : characters_end(text, ends[1]);
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

void IndexText::append(uint64_t number, std::string& out) const {
  for (const Piece& piece : pieces) {
    out += piece.text;
    if (piece.then == Then::kIndex) append_number(number, out);
    if (piece.then == Then::kLength) append_number(body_bytes + body_indices * digits(number), out);
  }
}

Expected<IndexText> make_index_text(const std::string& pattern, const Target& target,
                                    const std::optional<ProxySpec>& proxy) {
  if (target.url.websocket) return message_text(pattern, target.request);
  const std::string path = target.request.path.empty() ? target.url.target : target.request.path;
  const auto path_parts = cut_at_matches(pattern, path);
  if (!path_parts) return unexpected(path_parts.error());
  const auto body_parts = target.request.body.empty()
                              ? Expected<std::vector<std::string>>(whole_text(""))
                              : cut_at_matches(pattern, target.request.body);
  if (!body_parts) return unexpected(body_parts.error());

  Request request = target.request;
  if (proxy && !target.url.tls) ask_through_proxy(request, target.url, *proxy);
  const Expected<std::string> whole = http::write_request(target.url, request);
  if (!whole) return unexpected(whole.error());
  std::string_view head = *whole;
  head.remove_suffix(request.body.size());
  const size_t path_end = head.find(" HTTP/1.1\r\n");
  const size_t path_begin = path_end - path.size();

  IndexText text;
  text.last_on_socket = http::closes_socket(*whole);
  append_cut(whole_text(head.substr(0, path_begin)), text.pieces);
  append_cut(*path_parts, text.pieces);
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const size_t length_at = head.rfind(kLength);
  if (body_parts->size() > 1 && length_at != std::string_view::npos) {
    const size_t number_at = length_at + kLength.size();
    append_cut(whole_text(head.substr(path_end, number_at - path_end)), text.pieces);
    text.pieces.back().then = Then::kLength;
    append_cut(whole_text(head.substr(head.find("\r\n", number_at))), text.pieces);
  } else {
    append_cut(whole_text(head.substr(path_end)), text.pieces);
  }
  append_cut(*body_parts, text.pieces);
  for (const std::string& part : *body_parts) text.body_bytes += part.size();
  text.body_indices = body_parts->size() - 1;
  return text;
}

}  // namespace carronade::dialects::loadtest
