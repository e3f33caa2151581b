#include "http/proxy_url.h"

#include <string>

#include "base/text.h"

namespace carronade::http {
namespace {

// Without what stands before the "@", which may be a password.
std::string shown(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos) return base::printable(text);
  const size_t scheme = text.find("://");
  const std::string_view front = scheme < at ? text.substr(0, scheme + 3) : "";
  return base::printable(front) + "…" + base::printable(text.substr(at));
}

}  // namespace

Expected<ProxySpec> parse_proxy(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  const bool with_scheme = text.find("://") != std::string_view::npos;
  if (with_scheme && !base::iequals(text.substr(0, kScheme.size()), kScheme)) {
    return unexpected("proxy \"" + shown(text) +
                      "\": only HTTP proxies are spoken with: http://[user:pass@]host:port");
  }
  Expected<Url> url =
      parse_url(with_scheme ? std::string(text) : std::string(kScheme).append(text));
  if (!url || url->target != "/") {
    return unexpected("proxy \"" + shown(text) + "\" is not http://[user:pass@]host:port");
  }
  return ProxySpec{.url = std::move(*url), .headers = {}};
}

}  // namespace carronade::http
