#include "dialects/carronade/carronade_request.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace carronade::dialects {
namespace {

// "http:", "a+b:" at the front: RFC 3986 3.1.
bool has_scheme(std::string_view word) {
  const size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view scheme = word.substr(0, colon);
  if (std::isalpha(static_cast<unsigned char>(scheme[0])) == 0) return false;
  return std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
  });
}

}  // namespace

std::string complete_url(const std::string& word, const std::optional<std::string>& port,
                         Form form) {
  const bool path = word.starts_with('/') || word.starts_with('?');
  const bool relative = path || (form == Form::kStrict && !has_scheme(word));
  if (relative && port && !port->empty()) {
    const std::string base = "http://localhost:" + *port;
    return word.starts_with('/') ? base + word : base + "/" + word;
  }
  if (path || word.find("://") != std::string::npos) return word;
  return "http://" + word;
}

Expected<Header> parse_header(std::string_view text, Form form) {
  const size_t cut = text.find_first_of("=:");
  if (cut == std::string_view::npos || cut == 0) {
    return unexpected("An HTTP header was not correctly formatted: " + base::printable(text));
  }
  Header header{std::string(text.substr(0, cut)), std::string(text.substr(cut + 1))};
  if (form == Form::kPlain && header.value.starts_with(' ')) header.value.erase(0, 1);
  if (!base::is_token(header.name)) {
    return unexpected("header \"" + base::printable(text) +
                      "\": the name may hold letters, "
                      "digits and !#$%&'*+-.^_`|~ only");
  }
  if (header.value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
    return unexpected("header \"" + header.name + "\": the value holds a line break or a NUL");
  }
  return header;
}

Expected<std::vector<Header>> parse_headers(const std::vector<std::string>& words, Form form) {
  std::vector<Header> headers;
  for (const std::string& word : words) {
    Expected<Header> header = parse_header(word, form);
    if (!header) return unexpected(header.error());
    const auto same = std::find_if(headers.begin(), headers.end(),
                                   [&](const Header& known) { return known.name == header->name; });
    if (form == Form::kStrict && same != headers.end()) {
      same->value = std::move(header->value);
    } else {
      headers.push_back(std::move(*header));
    }
  }
  return headers;
}

Expected<void> check_method(std::string_view method, Form form) {
  constexpr std::array<std::string_view, 9> kMethods = {
      "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
  if (form == Form::kStrict) {
    if (std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end()) return {};
    return unexpected(std::string(method) + " HTTP method is not supported");
  }
  if (base::is_token(method)) return {};
  return unexpected("method \"" + base::printable(method) + "\" is not an HTTP token");
}

}  // namespace carronade::dialects
