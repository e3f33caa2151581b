#include "dialects/loadtest/loadtest_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "dialects/loadtest/loadtest_request.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr double kMillisecond = 1e6;
constexpr int64_t kForEverNs = base::kLongestNs / 2;
// Where nothing else would end a run whose server does not answer.
constexpr int64_t kAmountTimeoutNs = 60'000'000'000;
constexpr double kMostSeconds = static_cast<double>(base::kLongestNs) / 2e9;

bool is_known_method(std::string_view method) {
  constexpr std::array<std::string_view, 5> kMethods = {"get", "post", "put", "delete", "patch"};
  const std::string lower = base::to_lower(method);
  const bool one_case = method == lower || std::none_of(method.begin(), method.end(), [](char c) {
                          return c >= 'a' && c <= 'z';
                        });
  return one_case && std::find(kMethods.begin(), kMethods.end(), lower) != kMethods.end();
}

// The first that has a value.
template <class T>
std::optional<T> first_of(const std::optional<T>& command_line, const std::optional<T>& file) {
  return command_line ? command_line : file;
}

std::optional<uint64_t> whole(const std::optional<double>& number) {
  constexpr double kMost = 1e18;
  if (!number || *number < 1) return std::nullopt;
  return static_cast<uint64_t>(std::min(*number, kMost));
}

bool is_script(const std::optional<std::string>& file) {
  return file && (file->ends_with(".js") || file->ends_with(".mjs") || file->ends_with(".cjs"));
}

// TLS versions by the names of OpenSSL's methods, as Node takes them.
Expected<void> set_secure_protocol(const std::string& name, TlsSpec& tls) {
  std::string method = name;
  for (const std::string_view role : {"_client_method", "_server_method"}) {
    if (method.ends_with(role)) method.replace(method.size() - role.size(), role.size(), "_method");
  }
  constexpr uint16_t kTls10 = 0x0301;
  constexpr uint16_t kTls13 = 0x0304;
  const std::array<std::pair<std::string_view, uint16_t>, 4> versions = {
      {{"TLSv1_method", kTls10},
       {"TLSv1_1_method", 0x0302},
       {"TLSv1_2_method", 0x0303},
       {"TLSv1_3_method", kTls13}}};
  for (const auto& [known, version] : versions) {
    if (method != known) continue;
    tls.min_version = tls.max_version = version;
    return {};
  }
  if (method == "TLS_method" || method == "SSLv23_method") {
    tls.min_version = kTls10;
    tls.max_version = method == "TLS_method" ? kTls13 : 0x0303;
    return {};
  }
  return unexpected(
      fmt::format("--secureProtocol: unknown method \"{}\": TLS_method, "
                  "TLSv1_2_method …",
                  base::printable(name)));
}

Expected<void> set_tls(const LoadtestOptions& options, const LoadtestConfig& config,
                       LoadtestSettings& settings) {
  TlsSpec& tls = settings.tls;
  const bool insecure = first_of(options.insecure, config.insecure).value_or(false);
  // The original never checks a WebSocket server's certificate.
  tls.verify = !insecure && !settings.url.websocket;
  tls.certificate_file = first_of(options.certificate_file, config.certificate_file).value_or("");
  tls.key_file = first_of(options.key_file, config.key_file).value_or("");
  if (tls.certificate_file.empty() != tls.key_file.empty()) {
    return unexpected(std::string("--cert and --key go together"));
  }
  const auto protocol = first_of(options.secure_protocol, config.secure_protocol);
  return protocol ? set_secure_protocol(*protocol, tls) : Expected<void>{};
}

Expected<void> set_proxy(const std::optional<std::string>& text, LoadtestSettings& settings) {
  if (!text) return {};
  const bool bare = text->find("://") == std::string::npos;
  Expected<Url> url = parse_url(bare ? "http://" + *text : *text);
  if (!url) return unexpected("--proxy: " + url.error().text);
  if (url->tls) return unexpected(std::string("--proxy: only http:// proxies are supported"));
  settings.proxy = ProxySpec{.url = std::move(*url), .headers = {}};
  return {};
}

void set_limits(const LoadtestOptions& options, const LoadtestConfig& config,
                unsigned hardware_cores, LoadtestSettings& settings) {
  settings.max_requests = first_of(options.max_requests, whole(config.max_requests));
  settings.max_seconds = first_of(options.max_seconds, config.max_seconds);
  constexpr double kDefaultSeconds = 10;
  if (!settings.max_requests && !settings.max_seconds) settings.max_seconds = kDefaultSeconds;
  if (settings.max_seconds) settings.max_seconds = std::min(*settings.max_seconds, kMostSeconds);
  settings.requests_per_second = first_of(options.requests_per_second, config.requests_per_second);
  if (settings.requests_per_second == 0) settings.requests_per_second.reset();
  settings.concurrency = first_of(options.concurrency, whole(config.concurrency)).value_or(10);
  settings.cores = options.cores.value_or(default_cores(hardware_cores));
  const auto timeout_ms = first_of(options.timeout_ms, config.timeout_ms);
  if (!timeout_ms) {
    settings.timeout_ns = settings.max_seconds ? kForEverNs : kAmountTimeoutNs;
  } else if (*timeout_ms == 0) {
    settings.timeout_ns = kForEverNs;
  } else {
    const double ns = std::min(*timeout_ms * kMillisecond, static_cast<double>(kForEverNs));
    settings.timeout_ns = std::max<int64_t>(static_cast<int64_t>(ns), 1);
  }
}

}  // namespace

uint64_t default_cores(unsigned hardware_cores) { return (hardware_cores + 1) / 2; }

LoadtestMisuse check_loadtest_words(const LoadtestOptions& options) {
  const auto refuse = [](std::string text) {
    return LoadtestMisuse{.text = std::move(text) + "\n", .with_help = true, .exit_code = 1};
  };
  if (options.urls.empty()) return refuse("Missing URL to load-test");
  if (options.urls.size() > 1) {
    std::string words;
    for (const std::string& word : options.urls) {
      words += fmt::format("{} '{}'", words.empty() ? "" : ",", base::printable(word));
    }
    return refuse(fmt::format("Too many arguments: [{} ]", words));
  }
  const std::string& url = options.urls.front();
  const std::array<std::string_view, 4> schemes = {"http://", "https://", "ws://", "wss://"};
  if (std::none_of(schemes.begin(), schemes.end(), [&url](std::string_view scheme) {
        return base::iequals(std::string_view(url).substr(0, scheme.size()), scheme);
      })) {
    return refuse(fmt::format("Invalid URL {}, must be http://, https://, ws://, or wss://",
                              base::printable(url)));
  }
  if (options.method && !is_known_method(*options.method)) {
    return refuse("Invalid method " + base::printable(*options.method));
  }
  return {};
}

std::string javascript_reason(const LoadtestOptions& options, const LoadtestConfig& config) {
  if (options.request_generator) return "-R " + *options.request_generator;
  const std::array<std::pair<const char*, const std::optional<std::string>*>, 3> files = {
      {{"-p ", &options.post_file}, {"-u ", &options.put_file}, {"-a ", &options.patch_file}}};
  for (const auto& [flag, file] : files) {
    if (is_script(*file)) return flag + **file;
  }
  if (config.needs_javascript) return "the configuration in " + config.file;
  if (config.request_generator) return "requestGenerator in " + config.file;
  const bool own_body = options.post_body || options.patch_body || options.data ||
                        options.post_file || options.put_file || options.patch_file || config.body;
  if (!own_body && is_script(config.body_file)) return "a body's file in " + config.file;
  return "";
}

Expected<LoadtestSettings> make_loadtest_settings(const LoadtestOptions& options,
                                                  const LoadtestConfig& config,
                                                  unsigned hardware_cores) {
  LoadtestSettings settings;
  settings.url_text = options.urls.front();
  Expected<Url> url = parse_url(settings.url_text, Schemes::kHttpAndWebSocket);
  if (!url) return unexpected(url.error());
  settings.url = std::move(*url);
  settings.keep_alive = first_of(options.keep_alive, config.keep_alive).value_or(false);
  settings.tcp = options.tcp;
  settings.quiet = options.quiet;
  settings.index_pattern = first_of(options.index_pattern, config.index_pattern);
  if (config.method && !options.method && !is_known_method(*config.method)) {
    return unexpected(config.file + ": Invalid method " + base::printable(*config.method));
  }
  set_limits(options, config, hardware_cores, settings);
  if (const auto tls = set_tls(options, config, settings); !tls) return unexpected(tls.error());
  if (const auto set = set_proxy(first_of(options.proxy, config.proxy), settings); !set) {
    return unexpected(set.error());
  }
  Expected<Request> request = make_loadtest_request(options, config, settings);
  if (!request) return unexpected(request.error());
  settings.request = std::move(*request);
  return settings;
}

}  // namespace carronade::dialects::loadtest
