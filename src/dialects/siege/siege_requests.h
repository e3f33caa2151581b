// The requests of a siege as bytes, and where they go. Built once for the list of URLs, and again
// for what answers lead to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/url.h"
#include "dialects/siege/siege_settings.h"
#include "dialects/siege/siege_urls.h"

namespace carronade::dialects::siege {

// A request without what differs from user to user: Authorization and Cookie stand between `head`
// and `tail`.
struct SiegeRequest {
  Url url;
  std::string method;
  std::string body;
  std::string content_type;
  uint32_t target = 0;        // in RunSpec::targets
  int64_t line = 0;           // in the list of URLs, from 0; the list's of what led here
  std::string wire_target{};  // in the request line
  std::string head{};         // request line and Host
  std::string tail{};         // the other fields and the body
  std::string shown{};        // in the lines of the hits
};

// The places that requests may go to: those of the URLs given, since the engine knows its targets
// before it starts. http on port 80 brings https on port 443 of the same host, where so many sites
// send their visitors.
class Origins {
 public:
  // With a proxy it is the place of all http URLs, and the way to those of https.
  explicit Origins(std::optional<Url> proxy) : proxy_(std::move(proxy)) {
    if (proxy_) urls_.push_back(*proxy_);
  }

  void add(const Url& url);
  // Where requests to this URL go; nullopt when there is no such place.
  std::optional<uint32_t> find(const Url& url) const;

  bool proxied() const { return proxy_.has_value(); }
  const std::vector<Url>& urls() const { return urls_; }

 private:
  std::optional<uint32_t> index_of(const Url& url) const;

  std::optional<Url> proxy_;
  std::vector<Url> urls_;
};

class RequestMaker {
 public:
  // Headers that are none are an error in siege's words. The settings must outlive the maker.
  static Expected<RequestMaker> create(const SiegeSettings& settings);

  // The caller says where it goes. `method` "GET" becomes the method of -g there.
  SiegeRequest make(const SiegeUrl& url, uint32_t target, bool proxied) const;
  // Cookies that the user named himself, "" for none.
  const std::string& own_cookies() const { return cookies_; }

 private:
  explicit RequestMaker(const SiegeSettings& settings) : settings_(&settings) {}
  Expected<void> read_headers();

  const SiegeSettings* settings_;
  std::string host_;     // of -H Host; "": the URL's
  std::string fields_;   // Accept … Connection, the same for all
  std::string cookies_;  // of -H Cookie
};

}  // namespace carronade::dialects::siege
