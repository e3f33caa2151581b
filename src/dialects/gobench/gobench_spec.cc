#include "dialects/gobench/gobench_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "dialects/gobench/gobench_walk.h"

namespace carronade::dialects::gobench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kMillisecondNs = 1'000'000;
constexpr int64_t kMostMs = base::kLongestNs / kMillisecondNs / 2;

Expected<std::vector<Url>> collect_urls(const GobenchOptions& options) {
  std::vector<Url> urls;
  if (!options.urls_file.empty()) {
    const Expected<std::string> text = base::read_file(options.urls_file);
    if (!text) return unexpected(text.error());
    Expected<std::vector<Url>> listed = parse_url_list(*text, options.urls_file);
    if (!listed) return unexpected(listed.error());
    urls = std::move(*listed);
  }
  if (!options.url.empty()) {
    Expected<Url> url = parse_url(options.url);
    if (!url) return unexpected(url.error());
    urls.push_back(std::move(*url));
  }
  if (urls.empty()) return unexpected(options.urls_file + ": no URL in it");
  return urls;
}

// Requests are written and read under one limit. Without a body the writing takes no time worth
// one of its own.
int64_t timeout_ns(const GobenchOptions& options) {
  const auto limit_ms = [](int64_t ms) { return ms > 0 ? std::min(ms, kMostMs) : kMostMs; };
  int64_t total_ms = limit_ms(options.read_timeout_ms);
  if (!options.body_file.empty()) total_ms += limit_ms(options.write_timeout_ms);
  return total_ms * kMillisecondNs;
}

// With quirks a client looks at its number only between two passes through the list.
uint64_t requests_per_client(const GobenchOptions& options, size_t urls) {
  const auto asked = static_cast<uint64_t>(*options.requests);
  if (!options.quirks) return asked;
  return asked / urls * urls + (asked % urls == 0 ? 0 : urls);
}

std::string host_header(const Url& url) {
  const bool default_port = url.port == (url.tls ? 443 : 80);
  // fasthttp sends the port as soon as it is written.
  return url.host_header() + (url.port_written && default_port ? fmt::format(":{}", url.port) : "");
}

// One target for each host.
void set_walk(const std::vector<Url>& urls, const GobenchOptions& options, std::string body,
              RunSpec& spec) {
  auto list = std::make_shared<WalkList>();
  std::vector<std::string> origins;
  for (const Url& url : urls) {
    const std::string origin = url.origin();
    const auto known = std::find(origins.begin(), origins.end(), origin);
    list->targets.push_back(static_cast<uint32_t>(known - origins.begin()));
    list->heads.push_back(request_head(url, options, body.size()));
    if (known != origins.end()) continue;
    origins.push_back(origin);
    spec.targets.push_back({.url = url, .request = {}});
  }
  list->body = std::move(body);
  list->several_targets = origins.size() > 1;
  list->keep_alive = options.keep_alive;
  // The run keeps this function, and so the list, for as long as it lives.
  spec.make_source = [list](uint32_t, uint32_t) { return std::make_unique<WalkSource>(*list); };
}

}  // namespace

Expected<std::vector<Url>> parse_url_list(std::string_view text, const std::string& name) {
  std::vector<Url> urls;
  size_t number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    Expected<Url> url = parse_url(line);
    if (!url) return unexpected(fmt::format("{}:{}: {}", name, number, url.error().text));
    urls.push_back(std::move(*url));
  }
  return urls;
}

std::string request_head(const Url& url, const GobenchOptions& options, size_t body_bytes) {
  const bool post = !options.body_file.empty();
  std::string head = fmt::format("{} {} HTTP/1.1\r\nUser-Agent: fasthttp\r\nHost: {}\r\n",
                                 post ? "POST" : "GET", url.target, host_header(url));
  if (post) {
    head += fmt::format("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
                        body_bytes);
  }
  if (options.keep_alive) head += "Connection: keep-alive\r\n";
  std::string authorization = options.authorization;
  if (authorization.empty() && url.has_credentials) {
    authorization = "Basic " + base::base64(url.user + ":" + url.password);
  }
  if (!authorization.empty()) head += "Authorization: " + authorization + "\r\n";
  if (!options.keep_alive) head += "Connection: close\r\n";
  return head + "\r\n";
}

Expected<std::optional<RunSpec>> make_gobench_spec(const GobenchOptions& options,
                                                   uint32_t workers) {
  if (options.authorization.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
    return unexpected(std::string("-auth: a header value has no line ends in it"));
  }
  if (options.period_s > base::kLongestNs / kSecondNs) {
    return unexpected(std::string("-t can not be above 100 years"));
  }
  const Expected<std::vector<Url>> urls = collect_urls(options);
  if (!urls) return unexpected(urls.error());
  std::string body;
  if (!options.body_file.empty()) {
    Expected<std::string> read = base::read_file(options.body_file);
    if (!read) return unexpected(read.error());
    body = std::move(*read);
  }
  if (options.clients == 0 || options.requests.value_or(1) <= 0 ||
      options.period_s.value_or(1) <= 0) {
    return std::nullopt;
  }
  RunSpec spec;
  // Too many are refused with the other limits of a run.
  spec.connections = static_cast<uint32_t>(
      std::min<int64_t>(options.clients, std::numeric_limits<uint32_t>::max()));
  spec.workers = workers;
  spec.timeout_ns = timeout_ns(options);
  if (options.period_s) spec.duration_ns = *options.period_s * kSecondNs;
  if (options.requests) spec.max_connection_requests = requests_per_client(options, urls->size());
  if (urls->size() == 1) {
    Target target{.url = urls->front(), .request = {}};
    target.request.verbatim = request_head(target.url, options, body.size()) + body;
    spec.targets.push_back(std::move(target));
  } else {
    set_walk(*urls, options, std::move(body), spec);
  }
  return spec;
}

}  // namespace carronade::dialects::gobench
