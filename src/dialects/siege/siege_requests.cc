#include "dialects/siege/siege_requests.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "http/quoted.h"

namespace carronade::dialects::siege {
namespace {

constexpr uint16_t kHttpPort = 80;
constexpr uint16_t kHttpsPort = 443;

bool same_origin(const Url& a, const Url& b) {
  return a.tls == b.tls && a.port == b.port && a.host == b.host;
}

}  // namespace

std::optional<uint32_t> Origins::index_of(const Url& url) const {
  for (uint32_t i = 0; i < urls_.size(); ++i) {
    if (same_origin(urls_[i], url)) return i;
  }
  return std::nullopt;
}

void Origins::add(const Url& url) {
  const bool asked_of_proxy = proxy_ && !url.tls;
  if (!asked_of_proxy) {
    if (index_of(url)) return;
    urls_.push_back(url);
  }
  if (url.tls || url.port != kHttpPort) return;
  Url secure = url;
  secure.tls = true;
  secure.port = kHttpsPort;
  secure.port_written = false;
  add(secure);
}

std::optional<uint32_t> Origins::find(const Url& url) const {
  return proxy_ && !url.tls ? 0 : index_of(url);
}

Expected<RequestMaker> RequestMaker::create(const SiegeSettings& settings) {
  RequestMaker maker(settings);
  if (auto read = maker.read_headers(); !read) return unexpected(read.error());
  return maker;
}

Expected<void> RequestMaker::read_headers() {
  std::string accept = "*/*";
  std::string own;
  for (const std::string& header : settings_->headers) {
    const size_t colon = header.find(':');
    if (colon == std::string::npos) return unexpected("no ':' in http-header");
    const std::string_view name = base::trim(std::string_view(header).substr(0, colon));
    const std::string_view value = base::trim(std::string_view(header).substr(colon + 1));
    constexpr std::string_view kNever("\r\n\0", 3);
    if (!base::is_token(name) || value.find_first_of(kNever) != std::string_view::npos) {
      return unexpected("not a header: " + http::quoted(header));
    }
    if (base::iequals(name, "host")) {
      host_ = std::string(value);
    } else if (base::iequals(name, "accept")) {
      accept = std::string(value);
    } else if (base::iequals(name, "cookie")) {
      cookies_ += (cookies_.empty() ? "" : "; ") + std::string(value);
    } else {
      own += fmt::format("{}: {}\r\n", name, value);
    }
  }
  fields_ = fmt::format("Accept: {}\r\n", accept);
  if (!settings_->accept_encoding.empty()) {
    fields_ += fmt::format("Accept-Encoding: {}\r\n", settings_->accept_encoding);
  }
  fields_ += fmt::format("User-Agent: {}\r\n{}Connection: {}\r\n", user_agent_of(*settings_), own,
                         settings_->keep_alive ? "keep-alive" : "close");
  return {};
}

SiegeRequest RequestMaker::make(const SiegeUrl& from, uint32_t target, bool proxied) const {
  const bool showing = settings_->get || settings_->print;
  SiegeRequest request{.url = from.url,
                       .method = from.method,
                       .body = from.body,
                       .content_type = from.content_type,
                       .target = target};
  if (settings_->get && !settings_->print && !from.has_method)
    request.method = settings_->get_method;
  const std::string full = request.url.origin() + request.url.target;
  request.wire_target = proxied && !request.url.tls ? full : request.url.target;
  request.shown = settings_->full_url || from.has_method ? full : request.url.target;
  request.head = fmt::format("{} {} {}\r\nHost: {}\r\n", request.method, request.wire_target,
                             showing ? "HTTP/1.0" : settings_->protocol,
                             host_.empty() ? request.url.host_header() : host_);
  request.tail = fields_;
  if (from.has_method && from.method != "HEAD") {
    request.tail +=
        fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n",
                    request.content_type.empty() ? settings_->content_type : request.content_type,
                    request.body.size());
  }
  request.tail += "\r\n" + request.body;
  return request;
}

}  // namespace carronade::dialects::siege
