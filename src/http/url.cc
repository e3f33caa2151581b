// scheme "://" [ user [ ":" password ] "@" ] host [ ":" port ] [ path ] [ "?" query ] [ "#" … ]
// (RFC 3986 with http's rules of RFC 9110 4.2), cut from left to right.
#include "carronade/url.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <idn2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>

#include "base/text.h"
#include "http/quoted.h"

namespace carronade {

namespace {

constexpr uint16_t kHttpPort = 80;
constexpr uint16_t kHttpsPort = 443;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Empty when an escape is not '%' and two hexadecimal digits.
std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// Cuts `text` at the first of `stops`; the rest keeps the stop.
std::string_view take_until(std::string_view& text, std::string_view stops) {
  const size_t end = std::min(text.find_first_of(stops), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

struct Scheme {
  std::string_view name;  // in lower case
  bool tls;
  bool websocket;
};
constexpr std::array<Scheme, 4> kSchemes = {
    {{"http", false, false}, {"https", true, false}, {"ws", false, true}, {"wss", true, true}}};

// The parts of one URL. Each step gives "" or says what is wrong.
class UrlParser {
 public:
  UrlParser(Url& url, Schemes schemes) : url_(url), schemes_(schemes) {}
  std::string parse(std::string_view text);

 private:
  std::string parse_scheme(std::string_view& text);
  std::string parse_credentials(std::string_view userinfo);
  std::string parse_host_and_port(std::string_view text);
  std::string parse_name(std::string_view text);
  std::string check_ascii_name();
  std::string parse_port(std::string_view text);
  void set_target(std::string_view text);

  Url& url_;
  const Schemes schemes_;
};

std::string UrlParser::parse(std::string_view text) {
  if (text.empty()) return "it is empty; write http://host[:port]/path";
  if (std::string fault = parse_scheme(text); !fault.empty()) return fault;
  std::string_view authority = take_until(text, "/?#");
  // The last '@': a password may have others in it.
  const size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    if (std::string fault = parse_credentials(authority.substr(0, at)); !fault.empty()) {
      return fault;
    }
    authority.remove_prefix(at + 1);
  }
  if (std::string fault = parse_host_and_port(authority); !fault.empty()) return fault;
  set_target(text);
  return "";
}

std::string UrlParser::parse_scheme(std::string_view& text) {
  const size_t end = text.find("://");
  if (end == std::string_view::npos || end > text.find_first_of("/?#")) {
    return "there is no scheme; write http://host[:port]/path";
  }
  const std::string_view scheme = text.substr(0, end);
  text.remove_prefix(end + 3);
  const bool with_websocket = schemes_ == Schemes::kHttpAndWebSocket;
  const auto* known = std::find_if(kSchemes.begin(), kSchemes.end(), [&](const Scheme& one) {
    return base::iequals(scheme, one.name) && (with_websocket || !one.websocket);
  });
  if (known == kSchemes.end()) {
    return fmt::format("scheme {} is not supported; use {}", http::quoted(scheme),
                       with_websocket ? "http, https, ws or wss" : "http or https");
  }
  url_.tls = known->tls;
  url_.websocket = known->websocket;
  return "";
}

std::string UrlParser::parse_credentials(std::string_view userinfo) {
  if (userinfo.empty()) return "";
  const size_t colon = std::min(userinfo.find(':'), userinfo.size());
  const std::optional<std::string> user = percent_decode(userinfo.substr(0, colon));
  const std::optional<std::string> password =
      percent_decode(colon < userinfo.size() ? userinfo.substr(colon + 1) : "");
  if (!user || !password) {
    return "user or password has a '%' without two hexadecimal digits; write %25 for '%'";
  }
  url_.user = *user;
  url_.password = *password;
  url_.has_credentials = true;
  return "";
}

std::string UrlParser::parse_host_and_port(std::string_view text) {
  if (text.empty() || text.front() == ':') return "there is no host";
  if (text.front() != '[') {
    const std::string_view name = take_until(text, ":");
    if (text.find(':', 1) != std::string_view::npos) {
      return "host has several colons; write an IPv6 address in brackets, as in http://[::1]:80/";
    }
    if (std::string fault = parse_name(name); !fault.empty()) return fault;
    return parse_port(text);
  }
  const size_t end = text.find(']');
  if (end == std::string_view::npos) return "the ']' after the IPv6 address is missing";
  url_.host = base::to_lower(text.substr(1, end - 1));
  url_.host_is_ip = true;
  in6_addr unused;
  // A NUL would end the text for inet_pton.
  if (url_.host.find('\0') != std::string::npos ||
      inet_pton(AF_INET6, url_.host.c_str(), &unused) != 1) {
    return fmt::format("{} is not an IPv6 address", http::quoted(url_.host));
  }
  text.remove_prefix(end + 1);
  if (!text.empty() && text.front() != ':') return "after the ']' only a port may come";
  return parse_port(text);
}

std::string UrlParser::parse_name(std::string_view text) {
  std::optional<std::string> name = percent_decode(text);
  if (!name) return "host has a '%' without two hexadecimal digits";
  if (name->find('\0') != std::string::npos) return "host has a NUL byte";
  if (is_ascii(*name)) {
    url_.host = base::to_lower(*name);
    return check_ascii_name();
  }
  char* ascii = nullptr;
  const int result = idn2_to_ascii_8z(name->c_str(), &ascii, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
  const std::unique_ptr<char, void (*)(void*)> owner(ascii, idn2_free);
  if (result != IDN2_OK) {
    return fmt::format("host {} is not an internationalised name: {}", http::quoted(*name),
                       idn2_strerror(result));
  }
  url_.host = base::to_lower(ascii);
  return check_ascii_name();
}

// Letters, digits, '-' and '_' in labels of 1 to 63, 253 in all; a dot may end it (RFC 1035).
// A name whose last label is a number can only be an IPv4 address.
std::string UrlParser::check_ascii_name() {
  constexpr size_t kMaxName = 253;
  constexpr size_t kMaxLabel = 63;
  std::string_view name = url_.host;
  for (char c : name) {
    if (!is_alnum(c) && c != '-' && c != '_' && c != '.') {
      return fmt::format("host has the character {}", http::quoted({&c, 1}));
    }
  }
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.size() > kMaxName) return "host is longer than 253 characters";
  const std::vector<std::string_view> labels = base::split(name, '.');
  for (std::string_view label : labels) {
    if (label.empty()) return fmt::format("host {} has an empty label", http::quoted(url_.host));
    if (label.size() > kMaxLabel) return "host has a label longer than 63 characters";
  }
  if (std::all_of(labels.back().begin(), labels.back().end(), is_digit)) {
    in_addr unused;
    if (inet_pton(AF_INET, url_.host.c_str(), &unused) != 1) {
      return fmt::format("{} is not an IPv4 address", http::quoted(url_.host));
    }
    url_.host_is_ip = true;
  }
  return "";
}

// `text` is empty or begins with the colon; a colon alone means the default (RFC 3986 3.2.3).
std::string UrlParser::parse_port(std::string_view text) {
  url_.port = url_.tls ? kHttpsPort : kHttpPort;
  if (text.size() < 2) return "";
  text.remove_prefix(1);
  unsigned port = 0;
  for (char c : text) {
    if (!is_digit(c)) return fmt::format("port {} is not a number", http::quoted(text));
    port = std::min(port * 10 + static_cast<unsigned>(c - '0'), 65536U);
  }
  if (port < 1 || port > 65535) {
    return fmt::format("port {} is not between 1 and 65535", http::quoted(text));
  }
  url_.port = static_cast<uint16_t>(port);
  url_.port_written = true;
  return "";
}

void UrlParser::set_target(std::string_view text) {
  text = take_until(text, "#");
  url_.target = text.starts_with('/') ? "" : "/";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F) {
      url_.target += c;
    } else {
      fmt::format_to(std::back_inserter(url_.target), "%{:02X}", byte);
    }
  }
}

std::string bracketed_host(const Url& url) {
  return url.host.find(':') == std::string::npos ? url.host : fmt::format("[{}]", url.host);
}

}  // namespace

std::string Url::host_header() const {
  const uint16_t default_port = tls ? kHttpsPort : kHttpPort;
  std::string text = bracketed_host(*this);
  if (port != default_port) text += ":" + std::to_string(port);
  return text;
}

std::string Url::origin() const {
  const auto* scheme = std::find_if(kSchemes.begin(), kSchemes.end(), [&](const Scheme& one) {
    return one.tls == tls && one.websocket == websocket;
  });
  std::string text = fmt::format("{}://{}", scheme->name, bracketed_host(*this));
  if (port_written) text += ":" + std::to_string(port);
  return text;
}

Expected<Url> parse_url(std::string_view text, Schemes schemes) {
  Url url;
  const std::string fault = UrlParser(url, schemes).parse(text);
  if (!fault.empty()) return unexpected(fmt::format("URL {}: {}", http::quoted(text), fault));
  return url;
}

}  // namespace carronade
