// The cookies of one user: what of RFC 6265 a load needs. Name and value, Domain, Path, Expires,
// Max-Age and Secure; HttpOnly and the rest change nothing for a client without scripts. Times are
// seconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/url.h"

namespace carronade::http {

struct Cookie {
  static constexpr int64_t kSession = INT64_MAX;  // until the user's end

  std::string name;
  std::string value;
  std::string domain;     // lower case, no dot before it
  std::string path;       // begins with '/'
  bool host_only = true;  // for `domain` itself, not for names below it
  bool secure = false;    // https only
  int64_t expires_s = kSession;
};

class CookieJar {
 public:
  // The value of one Set-Cookie field, of an answer from `from`. A cookie of the same name, domain
  // and path is replaced; one that has expired already only removes it. One for a foreign domain,
  // without a name, or secure from plain http is not taken.
  void set(std::string_view set_cookie, const Url& from, int64_t now_s);
  // As if it had been set.
  void add(Cookie cookie);

  // Appends the value of the Cookie field for a request: "a=b; c=d", longer paths first. Nothing
  // when there is none.
  void append_header(const Url& to, int64_t now_s, std::string& out) const;

  bool empty() const { return cookies_.empty(); }
  void clear() { cookies_.clear(); }
  const std::vector<Cookie>& cookies() const { return cookies_; }

 private:
  std::vector<Cookie> cookies_;  // longer paths first; of equal ones the older first
};

// A date as Expires writes it, in any of the forms that RFC 6265 5.1.1 takes; nullopt when it is
// none.
std::optional<int64_t> parse_cookie_date(std::string_view text);

}  // namespace carronade::http
