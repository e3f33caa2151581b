#include "dialects/siege/siege_cookies_file.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"

namespace carronade::dialects::siege {
namespace {

// False: no cookie.
bool read_line(std::string_view line, http::Cookie& cookie) {
  const size_t bar = line.find('|');
  if (bar == std::string_view::npos) return false;
  bool first = true;
  for (const std::string_view raw : base::split(line.substr(bar + 1), ';')) {
    const std::string_view part = base::trim(raw);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = part.substr(0, equals);
    std::string_view value = part.substr(equals + 1);
    if (first) {
      cookie.name = std::string(name);
      cookie.value = std::string(value);
    } else if (base::iequals(name, "domain")) {
      cookie.host_only = !value.starts_with('.');
      if (!cookie.host_only) value.remove_prefix(1);
      cookie.domain = base::to_lower(value);
    } else if (base::iequals(name, "path")) {
      cookie.path = std::string(value);
    } else if (base::iequals(name, "expires")) {
      (void)std::from_chars(value.data(), value.data() + value.size(), cookie.expires_s);
    }
    first = false;
  }
  return !cookie.name.empty() && !cookie.domain.empty();
}

}  // namespace

std::vector<http::Cookie> read_cookies(std::string_view text, int64_t now_s) {
  std::vector<http::Cookie> cookies;
  for (const std::string_view raw : base::split(text, '\n')) {
    const std::string_view line = base::trim(raw);
    if (line.empty() || line[0] == '#') continue;
    http::Cookie cookie{.name = "", .value = "", .domain = "", .path = "/"};
    if (read_line(line, cookie) && cookie.expires_s > now_s) cookies.push_back(cookie);
  }
  return cookies;
}

std::string cookies_text(const std::vector<http::Cookie>& cookies) {
  std::string text = "# Cookies of siege that outlive a run, written by carronade.\n";
  for (const http::Cookie& cookie : cookies) {
    if (cookie.expires_s == http::Cookie::kSession) continue;
    text += fmt::format("0 | {}={}; domain={}{}; path={}; expires={}\n", cookie.name, cookie.value,
                        cookie.host_only ? "" : ".", cookie.domain, cookie.path, cookie.expires_s);
  }
  return text;
}

}  // namespace carronade::dialects::siege
