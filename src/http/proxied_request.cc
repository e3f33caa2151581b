#include <algorithm>

#include "base/text.h"
#include "carronade/proxy_spec.h"
#include "http/http_auth.h"

namespace carronade {

namespace {

// Of a path that is absolute already, nothing is changed. A path must not run into the host.
std::string absolute_form(const Url& target, const std::string& path) {
  constexpr std::string_view kScheme = "http://";
  if (base::iequals(std::string_view(path).substr(0, kScheme.size()), kScheme)) return path;
  std::string out(kScheme);
  out += target.host_header();
  if (!path.starts_with('/')) out += '/';
  return out += path;
}

}  // namespace

void ask_through_proxy(Request& request, const Url& target, const ProxySpec& proxy) {
  if (!request.verbatim.empty() || target.tls || target.websocket) return;
  request.path = absolute_form(target, request.path.empty() ? target.target : request.path);
  std::vector<Header>& headers = request.headers;
  headers.insert(headers.end(), proxy.headers.begin(), proxy.headers.end());
  const bool authorized = std::any_of(headers.begin(), headers.end(), [](const Header& header) {
    return base::iequals(header.name, "Proxy-Authorization");
  });
  if (proxy.url.has_credentials && !authorized) {
    headers.push_back(
        {"Proxy-Authorization", http::basic_authorization({proxy.url.user, proxy.url.password})});
  }
}

}  // namespace carronade
