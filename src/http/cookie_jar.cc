#include "http/cookie_jar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/text.h"

namespace carronade::http {
namespace {

constexpr size_t kMostCookies = 3000;  // as RFC 6265 6.1 asks of a browser

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits at the beginning, `least` to `most` of them, as a number; they are taken off the text.
std::optional<int> take_number(std::string_view& text, size_t least, size_t most) {
  size_t size = 0;
  int number = 0;
  while (size < text.size() && size < most && is_digit(text[size])) {
    number = number * 10 + (text[size++] - '0');
  }
  if (size < least) return std::nullopt;
  text.remove_prefix(size);
  return number;
}

bool take_colon(std::string_view& text) {
  if (!text.starts_with(':')) return false;
  text.remove_prefix(1);
  return true;
}

struct DateParts {
  std::optional<std::array<int, 3>> time;
  std::optional<int> day;
  std::optional<int> month;
  std::optional<int> year;
};

std::optional<std::array<int, 3>> time_of(std::string_view token) {
  const auto hour = take_number(token, 1, 2);
  if (!hour || !take_colon(token)) return std::nullopt;
  const auto minute = take_number(token, 1, 2);
  if (!minute || !take_colon(token)) return std::nullopt;
  const auto second = take_number(token, 1, 2);
  if (!second || (!token.empty() && is_digit(token[0]))) return std::nullopt;
  return std::array<int, 3>{*hour, *minute, *second};
}

// The number of `least` to `most` digits that a token begins with, when no further digit follows.
std::optional<int> number_of(std::string_view token, size_t least, size_t most) {
  const auto number = take_number(token, least, most);
  if (!number || (!token.empty() && is_digit(token[0]))) return std::nullopt;
  return number;
}

std::optional<int> month_of(std::string_view token) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (token.size() < 3) return std::nullopt;
  const size_t at = kMonths.find(base::to_lower(token.substr(0, 3)));
  if (at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  return static_cast<int>(at / 3) + 1;
}

// Each token is the first thing of this list that it can be and that is not there yet.
void sort_token(std::string_view token, DateParts& parts) {
  if (!parts.time && (parts.time = time_of(token))) return;
  if (!parts.day && (parts.day = number_of(token, 1, 2))) return;
  if (!parts.month && (parts.month = month_of(token))) return;
  if (!parts.year) parts.year = number_of(token, 2, 4);
}

bool is_date_separator(char c) {
  return !is_digit(c) && c != ':' && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

bool domain_matches(std::string_view host, std::string_view domain) {
  if (host == domain) return true;
  return host.size() > domain.size() && host.ends_with(domain) &&
         host[host.size() - domain.size() - 1] == '.';
}

std::string_view path_of(const Url& url) {
  return std::string_view(url.target).substr(0, url.target.find('?'));
}

std::string default_path(const Url& url) {
  const std::string_view path = path_of(url);
  const size_t slash = path.rfind('/');
  if (!path.starts_with('/') || slash == 0) return "/";
  return std::string(path.substr(0, slash));
}

bool path_matches(std::string_view path, std::string_view of_cookie) {
  if (!path.starts_with(of_cookie)) return false;
  return path.size() == of_cookie.size() || of_cookie.ends_with('/') ||
         path[of_cookie.size()] == '/';
}

// Max-Age has the last word, wherever it stands.
struct Lifetime {
  std::optional<int64_t> expires_s;
  std::optional<int64_t> max_age_s;
};

void read_max_age(std::string_view value, Lifetime& life) {
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc::result_out_of_range) {
    life.max_age_s = value.starts_with('-') ? 0 : INT64_MAX;
  } else if (error == std::errc() && end == value.data() + value.size()) {
    life.max_age_s = seconds;
  }
}

// False: the cookie is not for this host.
bool read_domain(std::string_view value, const Url& from, Cookie& cookie) {
  if (value.starts_with('.')) value.remove_prefix(1);
  if (value.empty()) return true;
  std::string domain = base::to_lower(value);
  if (domain == from.host) return true;
  // A name without a dot would be all of a top-level domain.
  if (from.host_is_ip || domain.find('.') == std::string::npos) return false;
  if (!domain_matches(from.host, domain)) return false;
  cookie.domain = std::move(domain);
  cookie.host_only = false;
  return true;
}

// False: the cookie is not taken.
bool read_attribute(std::string_view attribute, const Url& from, Cookie& cookie, Lifetime& life) {
  const size_t equals = attribute.find('=');
  const std::string_view name = base::trim(attribute.substr(0, equals));
  const std::string_view value = equals == std::string_view::npos
                                     ? std::string_view()
                                     : base::trim(attribute.substr(equals + 1));
  if (base::iequals(name, "expires")) {
    if (const auto date = parse_cookie_date(value)) life.expires_s = date;
  } else if (base::iequals(name, "max-age")) {
    read_max_age(value, life);
  } else if (base::iequals(name, "domain")) {
    return read_domain(value, from, cookie);
  } else if (base::iequals(name, "path")) {
    if (value.starts_with('/')) cookie.path = std::string(value);
  } else if (base::iequals(name, "secure")) {
    cookie.secure = true;
  }
  return true;
}

int64_t expiry(const Lifetime& life, int64_t now_s) {
  if (life.max_age_s) {
    if (*life.max_age_s <= 0) return INT64_MIN;
    return *life.max_age_s > Cookie::kSession - now_s ? Cookie::kSession - 1
                                                      : now_s + *life.max_age_s;
  }
  return life.expires_s.value_or(Cookie::kSession);
}

}  // namespace

std::optional<int64_t> parse_cookie_date(std::string_view text) {
  DateParts parts;
  while (!text.empty()) {
    const size_t begin = static_cast<size_t>(
        std::find_if_not(text.begin(), text.end(), is_date_separator) - text.begin());
    text.remove_prefix(begin);
    const size_t size = static_cast<size_t>(
        std::find_if(text.begin(), text.end(), is_date_separator) - text.begin());
    if (size > 0) sort_token(text.substr(0, size), parts);
    text.remove_prefix(size);
  }
  if (!parts.time || !parts.day || !parts.month || !parts.year) return std::nullopt;
  int year = *parts.year;
  if (year >= 70 && year <= 99) year += 1900;
  if (year <= 69) year += 2000;
  const auto [hour, minute, second] = *parts.time;
  if (year < 1601 || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(*parts.month)),
                                         std::chrono::day(static_cast<unsigned>(*parts.day))};
  if (!date.ok()) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400 + hour * 3600 + minute * 60 + second;
}

void CookieJar::set(std::string_view set_cookie, const Url& from, int64_t now_s) {
  const size_t end = set_cookie.find(';');
  const std::string_view pair = set_cookie.substr(0, end);
  const size_t equals = pair.find('=');
  if (equals == std::string_view::npos) return;
  Cookie cookie{.name = std::string(base::trim(pair.substr(0, equals))),
                .value = std::string(base::trim(pair.substr(equals + 1))),
                .domain = from.host,
                .path = default_path(from)};
  if (cookie.name.empty()) return;
  Lifetime life;
  if (end != std::string_view::npos) {
    for (const std::string_view attribute : base::split(set_cookie.substr(end + 1), ';')) {
      if (!read_attribute(attribute, from, cookie, life)) return;
    }
  }
  if (cookie.secure && !from.tls) return;
  cookie.expires_s = expiry(life, now_s);
  if (cookie.expires_s > now_s) return add(std::move(cookie));
  std::erase_if(cookies_, [&cookie](const Cookie& old) {
    return old.name == cookie.name && old.domain == cookie.domain && old.path == cookie.path;
  });
}

void CookieJar::add(Cookie cookie) {
  for (Cookie& old : cookies_) {
    if (old.name != cookie.name || old.domain != cookie.domain || old.path != cookie.path) continue;
    old = std::move(cookie);
    return;
  }
  if (cookies_.size() == kMostCookies) cookies_.pop_back();
  const auto place = std::find_if(cookies_.begin(), cookies_.end(), [&cookie](const Cookie& old) {
    return old.path.size() < cookie.path.size();
  });
  cookies_.insert(place, std::move(cookie));
}

void CookieJar::append_header(const Url& to, int64_t now_s, std::string& out) const {
  const std::string_view path = path_of(to);
  bool first = true;
  for (const Cookie& cookie : cookies_) {
    if (cookie.expires_s <= now_s || (cookie.secure && !to.tls)) continue;
    const bool here = cookie.host_only || to.host_is_ip ? to.host == cookie.domain
                                                        : domain_matches(to.host, cookie.domain);
    if (!here || !path_matches(path, cookie.path)) continue;
    if (!first) out += "; ";
    first = false;
    out.append(cookie.name).append("=").append(cookie.value);
  }
}

}  // namespace carronade::http
