// One user of a siege: walks through the list of URLs, and for what an answer leads to (a
// redirect, a demand for authorization, the pictures of a page) makes further requests. Each is a
// transaction of its own. Knows nothing of sockets. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/request_source.h"
#include "dialects/siege/siege_plan.h"
#include "http/cookie_jar.h"
#include "http/http_auth.h"

namespace carronade::dialects::siege {

// What siege counts an answer as.
struct Outcome {
  bool hit = false;         // a transaction; else a failed one
  bool successful = false;  // a transaction of status < 400, or 401 or 407
  std::string notice{};     // something that the person has to know, once: "" for nothing
};

class SiegeUser {
 public:
  // `number` from 0. The plan must outlive the user.
  SiegeUser(const SiegePlan& plan, uint32_t number);

  // Appends the next request; nullptr when there is none for ever. What it points to lasts until
  // the next call. `now_s` is the wall clock's, for cookies.
  const SiegeRequest* next(int64_t now_s, std::string& out);
  // The answer to it. Head and body as the source wants them.
  Outcome answered(const Response& response, int64_t now_s);
  // There will be no answer to it.
  void lost() { awaiting_ = false; }

  bool awaiting() const { return awaiting_; }
  // Nothing is in flight, and next() would give nothing.
  bool finished() const { return !awaiting_ && pending_.empty() && list_used_up(); }
  // How long the user lets pass before next(); drawn anew by each call.
  int64_t pause_ns();
  // The request in flight, or the last one; nullptr before the first.
  const SiegeRequest* current() const { return request_of(current_); }
  const http::CookieJar& cookies() const { return jar_; }

 private:
  // A request of the plan, or one that was made on the way.
  struct Pending {
    const SiegeRequest* planned = nullptr;
    std::unique_ptr<SiegeRequest> made{};
    bool resource = false;  // of a page: is not parsed itself
    int hops = 0;           // redirects that led to it
    int64_t attempts = 0;   // to be authorized, that were made for it
    bool sent_to_authorizer = false;
  };
  // Of one URL.
  struct Validator {
    std::string etag;
    std::string modified;
  };

  // A server that makes up a new URL for every answer must not fill the memory: what comes beyond
  // is asked for without a condition each time.
  static constexpr size_t kMostValidators = 10'000;

  static const SiegeRequest* request_of(const Pending& pending) {
    return pending.made ? pending.made.get() : pending.planned;
  }
  bool list_used_up() const;
  const SiegeRequest& choose();
  void append(const SiegeRequest& request, int64_t now_s, std::string& out);
  // Cookies, and what a conditional request will need.
  void note_fields(const SiegeRequest& request, std::string_view head, int64_t now_s);
  Outcome authorize(const SiegeRequest& request, const Response& response);
  const Login* login_for(const std::vector<Login>& logins, const std::string& realm) const;
  bool visit_authorizer(const SiegeRequest& request);
  std::string follow(const SiegeRequest& request, const Response& response);
  std::string read_page(const SiegeRequest& request, const Response& response);
  // Makes a request from a reference of the present one and puts it into line. The reason why not,
  // or "".
  std::string lead_to(const SiegeRequest& from, std::string_view reference, Pending next,
                      bool same_method);
  Pending again();
  uint64_t draw();

  const SiegePlan& plan_;
  uint32_t number_;
  size_t position_;     // in the list
  uint64_t pages_ = 0;  // taken from the list
  uint64_t drawn_ = 0;  // random numbers
  bool awaiting_ = false;
  std::deque<Pending> pending_;
  Pending current_;
  http::CookieJar jar_;
  std::map<std::string, http::Authenticator> authenticators_;  // by origin
  std::optional<http::Authenticator> proxy_authenticator_;
  // Of the cache, by URL; at most kMostValidators.
  std::map<std::string, Validator> validators_;
};

}  // namespace carronade::dialects::siege
