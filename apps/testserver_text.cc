#include "testserver_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text.h"

namespace carronade::apps {
namespace {

// In Node the first of several such headers holds.
constexpr std::array<std::string_view, 18> kSingle = {"age",
                                                      "authorization",
                                                      "content-length",
                                                      "content-type",
                                                      "etag",
                                                      "expires",
                                                      "from",
                                                      "host",
                                                      "if-modified-since",
                                                      "if-unmodified-since",
                                                      "last-modified",
                                                      "location",
                                                      "max-forwards",
                                                      "proxy-authorization",
                                                      "referer",
                                                      "retry-after",
                                                      "server",
                                                      "user-agent"};

struct NodeHeader {
  std::string name;
  std::vector<std::string> values;  // as received, in Latin-1
};

std::vector<NodeHeader> collect(std::string_view head) {
  std::vector<NodeHeader> headers;
  for (std::string_view line :
       base::split(head.substr(std::min(head.find('\n'), head.size())), '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name = base::to_lower(line.substr(0, colon));
    const std::string value(base::trim(line.substr(colon + 1)));
    const auto known = std::find_if(headers.begin(), headers.end(),
                                    [&](const NodeHeader& header) { return header.name == name; });
    if (known == headers.end()) {
      headers.push_back({name, {value}});
    } else if (std::find(kSingle.begin(), kSingle.end(), name) == kSingle.end()) {
      known->values.push_back(value);
    }
  }
  return headers;
}

// A JavaScript string literal, with the quotes that need the fewest escapes.
std::string quoted(std::string_view latin1) {
  const auto has = [latin1](std::string_view text) {
    return latin1.find(text) != std::string_view::npos;
  };
  char quote = '\'';
  if (has("'")) quote = !has("\"") ? '"' : !has("`") && !has("${") ? '`' : '\'';
  std::string text(1, quote);
  for (const char c : latin1) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\t') {
      text += "\\t";
    } else if (byte < 0x20 || (byte >= 0x7f && byte < 0xa0)) {
      text += fmt::format("\\x{:02X}", byte);
    } else if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text + quote;
}

bool is_identifier(std::string_view name) {
  const auto fits = [](char c, bool first) {
    return c == '_' || (c >= 'a' && c <= 'z') || (!first && c >= '0' && c <= '9');
  };
  for (size_t i = 0; i < name.size(); ++i) {
    if (!fits(name[i], i == 0)) return false;
  }
  return true;
}

std::string property(const NodeHeader& header) {
  std::string text = is_identifier(header.name) ? header.name : quoted(header.name);
  if (header.name == "set-cookie") {
    std::vector<std::string> literals;
    for (const std::string& value : header.values) literals.push_back(quoted(value));
    return fmt::format("{}: [ {} ]", text, fmt::join(literals, ", "));
  }
  const std::string_view separator = header.name == "cookie" ? "; " : ", ";
  return fmt::format("{}: {}", text,
                     quoted(fmt::format("{}", fmt::join(header.values, separator))));
}

// Characters, as the width of a line counts them.
size_t characters(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

std::string node_headers_text(std::string_view head) {
  constexpr size_t kLineMax = 80;
  constexpr size_t kRoomForBraces = 11;
  std::vector<std::string> properties;
  size_t width = kRoomForBraces;
  for (const NodeHeader& header : collect(head)) {
    properties.push_back(property(header));
    width += characters(properties.back()) + 2;
  }
  if (properties.empty()) return "{}";
  if (width <= kLineMax) return fmt::format("{{ {} }}", fmt::join(properties, ", "));
  return fmt::format("{{\n  {}\n}}", fmt::join(properties, ",\n  "));
}

std::string sample_text(const server::RequestSample& sample, double requests_per_second) {
  std::string text;
  if (requests_per_second > 1) {
    text += fmt::format("Requests per second: {:.0f}\n", std::round(requests_per_second));
  }
  if (!sample.head.empty()) {
    const std::vector<std::string_view> words =
        base::split(std::string_view(sample.head).substr(0, sample.head.find('\r')), ' ');
    text += fmt::format("Headers for {} to {}: {}\n", words[0], words.size() > 1 ? words[1] : "",
                        node_headers_text(sample.head));
  }
  if (!sample.body.empty()) text += fmt::format("Body: {}\n", base::printable(sample.body));
  return text;
}

}  // namespace carronade::apps
