#include "dialects/wrk/wrk_url.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace carronade::dialects::wrk {
namespace {

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// A request line cannot hold blanks and control characters.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > ' ' && byte != 0x7f;
  });
}

bool is_port(std::string_view text) {
  uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end;
}

// "host", "host:port", "[literal]:port"; what stands before an @ is left out.
bool read_authority(std::string_view text, script::ScriptSite& site) {
  if (const size_t at = text.rfind('@'); at != std::string_view::npos) text.remove_prefix(at + 1);
  std::string_view host = text;
  std::string_view rest;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else {
    const size_t colon = std::min(text.find(':'), text.size());
    host = text.substr(0, colon);
    rest = text.substr(colon);
  }
  if (host.empty()) return false;
  site.host = host;
  if (rest.empty()) return true;
  if (rest.front() != ':' || !is_port(rest.substr(1))) return false;
  site.port = rest.substr(1);
  return true;
}

}  // namespace

Expected<script::ScriptSite> read_url(std::string_view text, bool quirks) {
  const Error invalid{"invalid URL: " + std::string(text)};
  const size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0 || !is_plain(text)) return unexpected(invalid);
  script::ScriptSite site;
  const std::string_view scheme = text.substr(0, colon);
  if (!std::all_of(scheme.begin(), scheme.end(), is_letter)) return unexpected(invalid);
  site.scheme = base::to_lower(scheme);
  const std::string_view rest = text.substr(colon + 3);
  const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  if (!read_authority(rest.substr(0, end), site)) return unexpected(invalid);
  const std::string_view path = rest.substr(end);
  if (path.starts_with('/')) {
    site.path = path;
  } else if (path.starts_with('?') && !quirks) {
    site.path = "/" + std::string(path);
  }
  return site;
}

}  // namespace carronade::dialects::wrk
