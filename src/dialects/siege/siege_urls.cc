#include "dialects/siege/siege_urls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "dialects/siege/siege_variables.h"
#include "http/quoted.h"

namespace carronade::dialects::siege {
namespace {

// HEAD comes last: siege itself does not know it and sends a broken request line.
constexpr std::array<std::string_view, 6> kMethods = {"POST",    "PUT",    "PATCH",
                                                      "OPTIONS", "DELETE", "HEAD"};
// Files whose last line end belongs to them.
constexpr std::array<std::string_view, 14> kBinary = {"json", "png", "jpg", "jpeg", "gif",
                                                      "ico",  "pdf", "zip", "gz",   "tar",
                                                      "mp3",  "mp4", "bin", "wasm"};

struct MethodWord {
  size_t at = std::string_view::npos;  // of the blank before it
  std::string_view word;
};

MethodWord find_method(std::string_view text) {
  for (const std::string_view word : kMethods) {
    const std::string with_blank = " " + std::string(word);
    for (size_t at = text.find(with_blank); at != std::string_view::npos;
         at = text.find(with_blank, at + 1)) {
      const std::string_view behind = text.substr(at + with_blank.size());
      if (behind.empty() || behind[0] == ' ' || behind[0] == '\t' || behind[0] == '<') {
        return {at, word};
      }
    }
  }
  return {};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte of a "%41" at the beginning of the text; -1 when there is none.
int escaped_byte(std::string_view text) {
  if (text.size() < 3 || text[0] != '%') return -1;
  const int high = hex_digit(text[1]);
  const int low = hex_digit(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool is_unsafe(unsigned char c) {
  constexpr std::string_view kUnsafe = " <>\"#%{}|\\^~[]`";
  return c < 0x20 || c >= 0x7f || kUnsafe.find(static_cast<char>(c)) != std::string_view::npos;
}
bool is_reserved(unsigned char c) {
  constexpr std::string_view kReserved = ";/?:@=&+";
  return kReserved.find(static_cast<char>(c)) != std::string_view::npos;
}

Expected<std::string> read_body(std::string_view name) {
  const std::string path(base::trim(name));
  Expected<std::string> content = base::read_file(path);
  if (!content) return unexpected("unable to open file: " + content.error().text);
  const size_t dot = path.rfind('.');
  const std::string extension =
      dot == std::string::npos ? "" : base::to_lower(std::string_view(path).substr(dot + 1));
  if (std::find(kBinary.begin(), kBinary.end(), extension) == kBinary.end()) {
    content->erase(content->find_last_not_of(" \t\r\n") + 1);
  }
  return content;
}

// "-T text/plain; the body": a type of its own before the data.
void take_type(std::string_view& data, SiegeUrl& url) {
  if (!data.starts_with("-T ") && !data.starts_with("-T\t")) return;
  std::string_view rest = base::trim(data.substr(3));
  const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  std::string_view type = rest.substr(0, end);
  if (type.ends_with(';')) type.remove_suffix(1);
  url.content_type = std::string(type);
  data = base::trim(rest.substr(end));
}

Expected<void> read_data(std::string_view data, const SiegeSettings& settings, SiegeUrl& url) {
  while (!data.empty() && (data[0] == ' ' || data[0] == '\t')) data.remove_prefix(1);
  take_type(data, url);
  if (!data.starts_with('<')) {
    url.body = std::string(data);
    return {};
  }
  Expected<std::string> content = read_body(data.substr(1));
  if (content) {
    url.body = std::move(*content);
  } else if (!settings.quirks) {
    return unexpected(content.error());
  }
  return {};
}

bool is_scheme(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  });
}

Expected<Url> parse_address(std::string_view text, bool escape) {
  std::string_view scheme = "http";
  std::string_view rest = text;
  if (const size_t at = text.find("://");
      at != std::string_view::npos && is_scheme(text.substr(0, at))) {
    scheme = text.substr(0, at);
    rest = text.substr(at + 3);
  }
  if (!base::iequals(scheme, "http") && !base::iequals(scheme, "https")) {
    return unexpected(fmt::format("{}: {} is not spoken here, only http and https",
                                  http::quoted(text), base::printable(scheme)));
  }
  rest = rest.substr(0, rest.find('#'));
  const size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string target(rest.substr(end));
  if (target.empty() || target[0] == '?') target.insert(0, "/");
  if (escape) target = escape_target(target);
  return parse_url(fmt::format("{}://{}{}", base::to_lower(scheme), rest.substr(0, end), target));
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// A '#' is a comment only where there is no '/': else it may be a fragment.
std::string_view without_comment(std::string_view line) {
  if (line.find('/') != std::string_view::npos) return line;
  return base::trim(line.substr(0, line.find('#')));
}

// Whether the line sets a variable.
bool set_variable(std::string_view line, Variables& variables) {
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos || !is_word(line.substr(0, equals))) return false;
  const std::string_view value = without_comment(base::trim(line.substr(equals + 1)));
  variables[std::string(line.substr(0, equals))] = expand(value, variables);
  return true;
}

}  // namespace

std::string escape_target(std::string_view target) {
  std::string result;
  for (size_t i = 0; i < target.size(); ++i) {
    const int escaped = escaped_byte(target.substr(i));
    const auto byte = static_cast<unsigned char>(target[i]);
    if (escaped >= 0) {
      const auto meant = static_cast<unsigned char>(escaped);
      if (is_unsafe(meant) || is_reserved(meant)) {
        result += target.substr(i, 3);
      } else {
        result += static_cast<char>(meant);
      }
      i += 2;
    } else if (byte == '%' || is_unsafe(byte)) {
      result += fmt::format("%{:02X}", byte);
    } else {
      result += target[i];
    }
  }
  return result;
}

Expected<SiegeUrl> parse_siege_url(std::string_view text, const SiegeSettings& settings) {
  text = base::trim(text);
  if (text.size() > 1 && text[0] == '"' && text.back() == '"') {
    text = base::trim(text.substr(1, text.size() - 2));
  }
  SiegeUrl result;
  const MethodWord method = find_method(text);
  result.has_method = !method.word.empty();
  if (result.has_method) {
    result.method = std::string(method.word);
    const Expected<void> read =
        read_data(text.substr(method.at + 1 + method.word.size()), settings, result);
    if (!read) return unexpected(read.error());
    text = text.substr(0, method.at);
  }
  Expected<Url> url = parse_address(text, settings.url_escaping && !result.has_method);
  if (!url) return unexpected(url.error());
  result.url = std::move(*url);
  return result;
}

Expected<std::vector<SiegeUrl>> parse_url_list(std::string_view text, const std::string& path,
                                               const SiegeSettings& settings) {
  std::vector<SiegeUrl> urls;
  Variables variables;
  int number = 0;
  for (const std::string_view whole : base::split(text, '\n')) {
    ++number;
    const std::string_view line = base::trim(whole);
    if (line.empty() || line[0] == '#' || set_variable(line, variables)) continue;
    const std::string expanded = expand(without_comment(line), variables);
    if (base::trim(expanded).empty()) continue;
    Expected<SiegeUrl> url = parse_siege_url(expanded, settings);
    if (!url) return unexpected(fmt::format("{} line {}: {}", path, number, url.error().text));
    urls.push_back(std::move(*url));
  }
  return urls;
}

}  // namespace carronade::dialects::siege
