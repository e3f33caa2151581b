#include "dialects/siege/siege_user.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/digest.h"
#include "base/inflate.h"
#include "base/random.h"
#include "base/text.h"
#include "dialects/siege/siege_html.h"
#include "http/head_fields.h"
#include "http/url_reference.h"

namespace carronade::dialects::siege {
namespace {

constexpr int kMostHops = 20;
constexpr size_t kMostPage = size_t{16} << 20;  // bytes of a page that are looked at
constexpr double kSecondNs = 1e9;

bool is_redirect(uint16_t status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

SiegeUser::SiegeUser(const SiegePlan& plan, uint32_t number)
    : plan_(plan), number_(number), position_(0) {
  // Spread over the list, unless it is walked through once.
  if (!plan.settings.once) position_ = number * (plan.list.size() / plan.users) % plan.list.size();
  for (const http::Cookie& cookie : plan.cookies) jar_.add(cookie);
  if (!plan.logins.empty()) {
    pending_.push_back({.planned = &plan.logins[number % plan.logins.size()]});
  }
}

bool SiegeUser::list_used_up() const {
  const SiegeSettings& settings = plan_.settings;
  if (settings.once) return pages_ >= plan_.list.size();
  return settings.reps && pages_ >= static_cast<uint64_t>(*settings.reps);
}

uint64_t SiegeUser::draw() { return base::mix(base::mix(plan_.settings.seed, number_), drawn_++); }

const SiegeRequest& SiegeUser::choose() {
  const size_t size = plan_.list.size();
  if (plan_.settings.expire_session && pages_ > 0 && pages_ % size == 0) jar_.clear();
  ++pages_;
  if (plan_.settings.internet) return plan_.list[draw() % size];
  const size_t here = position_;
  position_ = position_ + 1 == size ? 0 : position_ + 1;
  return plan_.list[here];
}

const SiegeRequest* SiegeUser::next(int64_t now_s, std::string& out) {
  if (!pending_.empty()) {
    current_ = std::move(pending_.front());
    pending_.pop_front();
  } else if (!list_used_up()) {
    current_ = Pending{.planned = &choose()};
  } else {
    return nullptr;
  }
  awaiting_ = true;
  append(*current(), now_s, out);
  return current();
}

void SiegeUser::append(const SiegeRequest& request, int64_t now_s, std::string& out) {
  out += request.head;
  if (!authenticators_.empty()) {
    const auto found = authenticators_.find(request.url.origin());
    if (found != authenticators_.end()) {
      out.append("Authorization: ")
          .append(found->second.authorization(request.method, request.wire_target))
          .append("\r\n");
    }
  }
  if (proxy_authenticator_ && !request.url.tls) {
    out.append("Proxy-Authorization: ")
        .append(proxy_authenticator_->authorization(request.method, request.wire_target))
        .append("\r\n");
  }
  const std::string& own = plan_.maker->own_cookies();
  if (!jar_.empty() || !own.empty()) {
    const size_t before = out.size();
    out += "Cookie: ";
    const size_t begin = out.size();
    jar_.append_header(request.url, now_s, out);
    if (!own.empty()) out.append(out.size() > begin ? "; " : "").append(own);
    if (out.size() > begin) {
      out += "\r\n";
    } else {
      out.resize(before);
    }
  }
  if (!validators_.empty()) {
    const auto found = validators_.find(request.url.origin() + request.url.target);
    if (found != validators_.end()) {
      const Validator& known = found->second;
      if (!known.etag.empty()) out.append("If-None-Match: ").append(known.etag).append("\r\n");
      if (!known.modified.empty()) {
        out.append("If-Modified-Since: ").append(known.modified).append("\r\n");
      }
    }
  }
  out += request.tail;
}

int64_t SiegeUser::pause_ns() {
  const SiegeSettings& settings = plan_.settings;
  if (settings.benchmark || pages_ == 0 || !pending_.empty()) return 0;
  constexpr double kLeastS = 0.001;
  if (settings.delay_s < kLeastS) return 0;
  const double part = base::unit_from(draw());
  if (settings.quirks && settings.delay_s >= 1) {
    return static_cast<int64_t>(std::floor(part * (std::round(settings.delay_s) + 1)) * kSecondNs);
  }
  return static_cast<int64_t>(part * settings.delay_s * kSecondNs);
}

// The request in flight once more.
SiegeUser::Pending SiegeUser::again() { return std::move(current_); }

Outcome SiegeUser::answered(const Response& response, int64_t now_s) {
  const uint16_t status = response.status;
  Outcome outcome;
  outcome.hit = status < 500 && status != 408;
  outcome.successful = outcome.hit && (status < 400 || status == 401 || status == 407);
  const SiegeSettings& settings = plan_.settings;
  // What a kept connection gave twice leads nowhere.
  if (!std::exchange(awaiting_, false)) return outcome;
  const SiegeRequest& request = *current();
  if (settings.cookies || settings.cache) note_fields(request, response.head, now_s);
  if (!settings.zero_data_ok && status < 300 && response.body_bytes == 0 &&
      request.method != "HEAD") {
    return {.notice = "zero-data-ok is false, and an answer had no data"};
  }
  if (status == 401 || status == 407) return authorize(request, response);
  if (status == 403 && visit_authorizer(request)) return outcome;
  if (is_redirect(status) && settings.follow) {
    outcome.notice = follow(request, response);
  } else if (status == 200 && settings.parser && !current_.resource && request.method == "GET") {
    outcome.notice = read_page(request, response);
  }
  return outcome;
}

void SiegeUser::note_fields(const SiegeRequest& request, std::string_view head, int64_t now_s) {
  const bool cookies = plan_.settings.cookies;
  const bool cache = plan_.settings.cache && request.method == "GET";
  Validator validator;
  for (http::FieldCursor cursor(head); const auto field = cursor.next();) {
    if (cookies && base::iequals(field->name, "set-cookie")) {
      jar_.set(field->value, request.url, now_s);
    } else if (cache && base::iequals(field->name, "etag")) {
      validator.etag = std::string(field->value);
    } else if (cache && base::iequals(field->name, "last-modified")) {
      validator.modified = std::string(field->value);
    }
  }
  if (validator.etag.empty() && validator.modified.empty()) return;
  const std::string url = request.url.origin() + request.url.target;
  if (validators_.size() >= kMostValidators && !validators_.contains(url)) return;
  validators_[url] = std::move(validator);
}

const Login* SiegeUser::login_for(const std::vector<Login>& logins,
                                  const std::string& realm) const {
  const Login* general = nullptr;
  for (const Login& login : logins) {
    if (login.realm == realm && !realm.empty()) return &login;
    if (login.realm.empty() && general == nullptr) general = &login;
  }
  return general;
}

Outcome SiegeUser::authorize(const SiegeRequest& request, const Response& response) {
  const bool proxy = response.status == 407;
  std::vector<http::Challenge> challenges;
  const std::string_view name = proxy ? "proxy-authenticate" : "www-authenticate";
  for (http::FieldCursor cursor(response.head); const auto field = cursor.next();) {
    if (!base::iequals(field->name, name)) continue;
    for (http::Challenge& each : http::parse_challenges(field->value)) {
      challenges.push_back(std::move(each));
    }
  }
  // Then it is a refusal as any other.
  if (challenges.empty()) return {.hit = true};
  const http::Challenge* const challenge = http::strongest(challenges);
  if (challenge == nullptr) {
    return {.notice = fmt::format("an authorization challenge that is none of Basic and Digest: {}",
                                  challenges[0].scheme_name)};
  }
  std::optional<http::Credentials> credentials;
  if (!proxy && request.url.has_credentials) {
    credentials = http::Credentials{request.url.user, request.url.password};
  } else if (const Login* const login = login_for(
                 proxy ? plan_.settings.proxy_logins : plan_.settings.logins, challenge->realm)) {
    credentials = http::Credentials{login->user, login->password};
  }
  if (!credentials) {
    return {.notice = fmt::format("Unable to respond to an authorization challenge in the realm "
                                  "'{}': set {} in the conf file",
                                  challenge->realm, proxy ? "proxy-login" : "login")};
  }
  Outcome outcome{.hit = true, .successful = true};
  if (++current_.attempts >= plan_.settings.attempts) return outcome;
  const std::string seed = fmt::format("{}:{}:{}", plan_.settings.seed, number_, draw());
  http::Authenticator made(*challenge, std::move(*credentials), base::md5_hex(seed).substr(0, 16));
  if (proxy) {
    proxy_authenticator_ = std::move(made);
  } else {
    authenticators_.insert_or_assign(request.url.origin(), std::move(made));
  }
  pending_.push_front(again());
  return outcome;
}

// A 403 of a host that has an auth-url: that is visited, and the request made once more.
bool SiegeUser::visit_authorizer(const SiegeRequest& request) {
  if (current_.sent_to_authorizer) return false;
  for (const SiegeRequest& authorizer : plan_.authorizers) {
    if (authorizer.url.host != request.url.host || &authorizer == &request) continue;
    current_.sent_to_authorizer = true;
    pending_.push_front(again());
    pending_.push_front({.planned = &authorizer, .resource = true});
    return true;
  }
  return false;
}

std::string SiegeUser::follow(const SiegeRequest& request, const Response& response) {
  const auto location = http::find_field(response.head, "location");
  if (!location || location->empty()) return "";
  const bool same_method = response.status == 307 || response.status == 308;
  Pending next;
  next.resource = current_.resource;
  next.hops = current_.hops + 1;
  return lead_to(request, *location, std::move(next), same_method);
}

std::string SiegeUser::lead_to(const SiegeRequest& from, std::string_view reference, Pending next,
                               bool same_method) {
  if (next.hops > kMostHops) {
    return fmt::format("{}: more than {} redirects one after the other: not followed further",
                       from.url.origin() + from.url.target, kMostHops);
  }
  Expected<Url> url = http::resolve_reference(from.url, reference);
  if (!url) return "not followed: " + url.error().text;
  const std::optional<uint32_t> target = plan_.origins.find(*url);
  if (!target) {
    return fmt::format("{} is not followed: only the hosts of the URLs given are besieged",
                       url->origin());
  }
  SiegeUrl to{.url = std::move(*url)};
  if (same_method || from.method == "HEAD") {
    to.method = from.method;
    to.body = from.body;
    to.content_type = from.content_type;
    to.has_method = from.method != "GET";
  }
  next.made =
      std::make_unique<SiegeRequest>(plan_.maker->make(to, *target, plan_.origins.proxied()));
  next.made->line = from.line;
  if (next.resource && next.hops == 0) {
    pending_.push_back(std::move(next));  // of a page, in its order
  } else {
    pending_.push_front(std::move(next));
  }
  return "";
}

std::string SiegeUser::read_page(const SiegeRequest& request, const Response& response) {
  const auto type = http::find_field(response.head, "content-type");
  if (!type || !base::iequals(type->substr(0, 9), "text/html")) return "";
  std::string unpacked;
  std::string_view page = response.body;
  const auto coding = http::find_field(response.head, "content-encoding");
  if (coding && !base::iequals(*coding, "identity")) {
    if (!base::inflate(page, unpacked, kMostPage, base::BeyondMost::kLeft)) {
      return fmt::format("a page with Content-Encoding: {} was not parsed", *coding);
    }
    page = unpacked;
  }
  const PageLinks links = page_links(page.substr(0, kMostPage));
  SiegeRequest origin = request;
  if (links.base) {
    if (Expected<Url> base = http::resolve_reference(request.url, *links.base)) {
      origin.url = std::move(*base);
    }
  }
  std::string notice;
  for (const std::string& reference : links.resources) {
    const Expected<Url> url = http::resolve_reference(origin.url, reference);
    if (!url) continue;
    const auto& banned = plan_.settings.no_follow_hosts;
    if (std::any_of(banned.begin(), banned.end(), [&url](const std::string& part) {
          return url->host.find(part) != std::string::npos;
        })) {
      continue;
    }
    std::string reason = lead_to(origin, reference, {.resource = true}, false);
    if (notice.empty()) notice = std::move(reason);
  }
  if (links.refresh && plan_.settings.follow) {
    Pending next;
    next.hops = current_.hops + 1;
    std::string reason = lead_to(origin, *links.refresh, std::move(next), false);
    if (notice.empty()) notice = std::move(reason);
  }
  return notice;
}

}  // namespace carronade::dialects::siege
