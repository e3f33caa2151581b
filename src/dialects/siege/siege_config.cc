#include "dialects/siege/siege_config.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "base/text.h"
#include "dialects/siege/siege_numbers.h"
#include "dialects/siege/siege_variables.h"

namespace carronade::dialects::siege {
namespace {

using Setter = std::function<Expected<void>(SiegeSettings&, const std::string& value)>;
using Keys = std::map<std::string_view, Setter>;

bool begins_with(std::string_view text, std::string_view word) {
  return base::iequals(text.substr(0, word.size()), word);
}
bool is_true(std::string_view value) { return begins_with(value, "true"); }

Setter flag(bool SiegeSettings::*member) {
  return [member](SiegeSettings& settings, const std::string& value) -> Expected<void> {
    settings.*member = is_true(value);
    return {};
  };
}
Setter text(std::string SiegeSettings::*member) {
  return [member](SiegeSettings& settings, const std::string& value) -> Expected<void> {
    settings.*member = value;
    return {};
  };
}
Setter number(int64_t SiegeSettings::*member) {
  return [member](SiegeSettings& settings, const std::string& value) -> Expected<void> {
    const Expected<int64_t> read = parse_number(value);
    if (!read) return unexpected(read.error());
    settings.*member = *read;
    return {};
  };
}
Setter seconds(double SiegeSettings::*member) {
  return [member](SiegeSettings& settings, const std::string& value) -> Expected<void> {
    const Expected<double> read = parse_seconds(value);
    if (!read) return unexpected(read.error());
    settings.*member = *read;
    return {};
  };
}
Setter add(std::vector<std::string> SiegeSettings::*member) {
  return [member](SiegeSettings& settings, const std::string& value) -> Expected<void> {
    if (!value.empty()) (settings.*member).push_back(value);
    return {};
  };
}
Setter login(std::vector<Login> SiegeSettings::*member) {
  return [member](SiegeSettings& settings, const std::string& value) -> Expected<void> {
    if (!value.empty()) (settings.*member).push_back(parse_login(value));
    return {};
  };
}
Setter ignored() {
  return [](SiegeSettings&, const std::string&) -> Expected<void> { return {}; };
}

Expected<void> set_colour(SiegeSettings& settings, const std::string& value) {
  settings.colour = !begins_with(value, "false") && !begins_with(value, "off");
  return {};
}
Expected<void> set_escaping(SiegeSettings& settings, const std::string& value) {
  settings.url_escaping = !begins_with(value, "false");
  return {};
}
// "cookies = off" and the like; whatever is not a clear no keeps them.
Expected<void> set_cookies(SiegeSettings& settings, const std::string& value) {
  settings.cookies = !begins_with(value, "false") && !begins_with(value, "off");
  return {};
}
Expected<void> set_connection(SiegeSettings& settings, const std::string& value) {
  settings.keep_alive = begins_with(value, "keep-alive");
  return {};
}
Expected<void> set_protocol(SiegeSettings& settings, const std::string& value) {
  settings.protocol = base::iequals(value, "HTTP/1.1") ? "HTTP/1.1" : "HTTP/1.0";
  return {};
}
Expected<void> set_get_method(SiegeSettings& settings, const std::string& value) {
  settings.get_method = base::iequals(value, "GET") ? "GET" : "HEAD";
  return {};
}
Expected<void> set_time(SiegeSettings& settings, const std::string& value) {
  if (value.empty()) return {};
  const Expected<int64_t> read = parse_time(value);
  if (!read) return unexpected(read.error());
  settings.time_ns = *read > 0 ? std::optional(*read) : std::nullopt;
  return {};
}
Expected<void> set_reps(SiegeSettings& settings, const std::string& value) {
  if (value.empty()) return {};
  return parse_reps(value, settings);
}
// Parts of three bytes and less would be in too many names.
Expected<void> set_no_follow(SiegeSettings& settings, const std::string& value) {
  if (value.size() > 3) settings.no_follow_hosts.push_back(value);
  return {};
}

const Keys& keys() {
  using S = SiegeSettings;
  static const Keys kKeys = {
      {"verbose", flag(&S::verbose)},
      {"color", set_colour},
      {"quiet", flag(&S::quiet)},
      {"json_output", flag(&S::json)},
      {"show-logfile", flag(&S::show_logfile)},
      {"logging", flag(&S::logging)},
      {"logfile", text(&S::logfile)},
      {"gmethod", set_get_method},
      {"parser", flag(&S::parser)},
      {"nofollow", set_no_follow},
      {"csv", flag(&S::csv)},
      {"timestamp", flag(&S::timestamp)},
      {"fullurl", flag(&S::full_url)},
      {"display-id", flag(&S::display_id)},
      {"limit", number(&S::limit)},
      {"protocol", set_protocol},
      {"chunked", flag(&S::chunked)},
      {"cache", flag(&S::cache)},
      {"connection", set_connection},
      {"concurrent", number(&S::concurrent)},
      {"time", set_time},
      {"reps", set_reps},
      {"file", text(&S::file)},
      {"url", text(&S::url)},
      {"delay", seconds(&S::delay_s)},
      {"timeout", seconds(&S::timeout_s)},
      {"expire-session", flag(&S::expire_session)},
      {"cookies", set_cookies},
      {"failures", number(&S::failures)},
      {"attempts", number(&S::attempts)},
      {"internet", flag(&S::internet)},
      {"benchmark", flag(&S::benchmark)},
      {"user-agent", text(&S::user_agent)},
      {"accept-encoding", text(&S::accept_encoding)},
      {"url-escaping", set_escaping},
      {"login", login(&S::logins)},
      {"login-url", add(&S::login_urls)},
      {"auth-url", add(&S::auth_urls)},
      {"ftp-login", ignored()},
      {"unique", flag(&S::unique)},
      {"ssl-cert", text(&S::ssl_cert)},
      {"ssl-key", text(&S::ssl_key)},
      {"ssl-timeout", ignored()},
      {"ssl-ciphers", text(&S::ssl_ciphers)},
      {"proxy-host", text(&S::proxy_host)},
      {"proxy-port", number(&S::proxy_port)},
      {"proxy-login", login(&S::proxy_logins)},
      {"follow-location", flag(&S::follow)},
      {"zero-data-ok", flag(&S::zero_data_ok)},
      {"header", add(&S::headers)},
      {"debug", flag(&S::debug)},
      {"spinner", ignored()},
  };
  return kKeys;
}

struct Line {
  std::string key;
  std::string value;
};

// The key ends at a blank, '=' or ':', and so do the bytes between it and the value.
Line cut(std::string_view line) {
  constexpr std::string_view kSeparators = " \t=:";
  const size_t end = line.find_first_of(kSeparators);
  if (end == std::string_view::npos) return {std::string(line), ""};
  const size_t value = line.find_first_not_of(kSeparators, end);
  return {std::string(line.substr(0, end)),
          value == std::string_view::npos ? "" : std::string(line.substr(value))};
}

std::string home_file(const char* name) {
  const char* const home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::string() : std::string(home) + name;
}

bool exists(const std::string& path) { return !path.empty() && access(path.c_str(), F_OK) == 0; }

}  // namespace

std::string user_agent_of(const SiegeSettings& settings) {
  if (!settings.user_agent.empty()) return settings.user_agent;
  return fmt::format("Mozilla/5.0 (pc-x86_64-linux-gnu) Siege/{}", kSiegeVersion);
}

Login parse_login(std::string_view text) {
  const size_t first = text.find(':');
  if (first == std::string_view::npos) return {std::string(text), "", ""};
  const size_t second = text.find(':', first + 1);
  Login login{std::string(text.substr(0, first)),
              std::string(text.substr(first + 1, second - first - 1)), ""};
  if (second != std::string_view::npos) login.realm = std::string(text.substr(second + 1));
  if (login.realm == "all") login.realm.clear();
  return login;
}

Expected<void> apply_config(std::string_view text, const std::string& path,
                            SiegeSettings& settings) {
  Variables variables;
  int number = 0;
  for (std::string_view whole : base::split(text, '\n')) {
    ++number;
    std::string_view line = base::trim(whole);
    // A password may have a '#' in it.
    if (!line.starts_with("login")) line = base::trim(line.substr(0, line.find('#')));
    if (line.empty() || line.starts_with('#')) continue;
    const Line parts = cut(line);
    if (parts.key.empty()) continue;
    std::string value = expand(parts.value, variables);
    const auto key = keys().find(parts.key);
    if (key == keys().end()) {
      variables[parts.key] = std::move(value);
    } else if (const Expected<void> set = key->second(settings, value); !set) {
      return unexpected(
          fmt::format("{} line {}: {}: {}", path, number, parts.key, set.error().text));
    }
  }
  return {};
}

std::string_view config_template() {
  return "verbose = true\n"
         "color = on\n"
         "quiet = false\n"
         "json_output = false\n"
         "show-logfile = true\n"
         "logging = false\n"
         "gmethod = HEAD\n"
         "parser = true\n"
         "nofollow = ad.doubleclick.net\n"
         "nofollow = pagead2.googlesyndication.com\n"
         "nofollow = ads.pubsqrd.com\n"
         "nofollow = ib.adnxs.com\n"
         "limit = 255\n"
         "protocol = HTTP/1.1\n"
         "chunked = true\n"
         "cache = false\n"
         "connection = close\n"
         "concurrent = 25\n"
         "delay = 0.0\n"
         "internet = false\n"
         "benchmark = false\n"
         "accept-encoding = gzip, deflate\n"
         "url-escaping = true\n"
         "unique = true\n";
}

std::string config_path(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  if (const char* const named = std::getenv("SIEGERC"); named != nullptr && *named != '\0') {
    return named;
  }
  for (const char* const name : {"/.siege/siege.conf", "/.siegerc"}) {
    if (std::string path = home_file(name); exists(path)) return path;
  }
  return "";
}

Expected<void> load_config(const std::string& chosen, SiegeSettings& settings) {
  const std::string path = config_path(chosen);
  if (path.empty()) return apply_config(config_template(), "template", settings);
  const Expected<std::string> text = base::read_file(path);
  if (!text) {
    const std::string stars(50, '*');
    return unexpected(
        fmt::format("{0}\nsiege: could not open {1}\n({2})\n{0}", stars, path, text.error().text));
  }
  settings.config_file = path;
  return apply_config(*text, path, settings);
}

}  // namespace carronade::dialects::siege
