#include "dialects/loadtest/loadtest_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "dialects/loadtest/loadtest_config.h"
#include "dialects/loadtest/loadtest_options.h"
#include "dialects/loadtest/loadtest_settings.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr const char* kFormType = "application/x-www-form-urlencoded";

// One value for each name; a later one takes the place of an earlier one.
class HeaderList {
 public:
  void set(const std::string& name, const std::string& value) {
    const std::string lower = base::to_lower(name);
    if (Header* known = find(lower)) {
      known->value = value;
    } else {
      headers_.push_back({lower, value});
    }
  }
  void set_default(const std::string& name, const std::string& value) {
    if (find(name) == nullptr) headers_.push_back({name, value});
  }
  // Behind the others, in the case given.
  void move_to_end(const std::string& name, const std::string& value) {
    const std::string lower = base::to_lower(name);
    erase(lower);
    headers_.push_back({name, value});
  }
  void erase(std::string_view lower) {
    std::erase_if(headers_, [lower](const Header& one) { return one.name == lower; });
  }
  bool has(std::string_view name) { return find(name) != nullptr; }
  std::vector<Header> take() { return std::move(headers_); }

 private:
  Header* find(std::string_view lower) {
    const auto found = std::find_if(headers_.begin(), headers_.end(),
                                    [lower](const Header& one) { return one.name == lower; });
    return found == headers_.end() ? nullptr : &*found;
  }

  std::vector<Header> headers_;
};

struct Body {
  std::string text;
  std::string json;  // the same as JSON
};

std::string json_string(const std::string& text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

// The original's order: of several texts the last of -P, -A holds, and a file comes before all.
std::optional<std::string> body_text(const LoadtestOptions& o) {
  if (o.patch_body) return o.patch_body;
  return o.post_body ? o.post_body : o.data;
}

std::optional<std::string> body_file(const LoadtestOptions& o) {
  if (o.patch_file) return o.patch_file;
  return o.put_file ? o.put_file : o.post_file;
}

// With parameters behind it or without: "…; charset=utf-8".
bool is_form(std::string_view content_type) {
  return base::trim(content_type.substr(0, content_type.find(';'))) == kFormType;
}

Expected<std::optional<Body>> read_body(const LoadtestOptions& options,
                                        const LoadtestConfig& config,
                                        const std::string& content_type) {
  std::optional<std::string> file = body_file(options);
  if (!file) {
    if (const auto text = body_text(options)) return Body{*text, json_string(*text)};
    if (config.body) {
      const bool form = is_form(content_type) && config.body_form;
      return Body{form ? *config.body_form : *config.body, *config.body_json};
    }
    file = config.body_file;
  }
  if (!file) return std::nullopt;
  Expected<std::string> text = base::read_file(*file);
  if (!text) return unexpected(text.error());
  std::string json = json_string(*text);
  return Body{std::move(*text), std::move(json)};
}

std::string method_of(const LoadtestOptions& o, const LoadtestConfig& config) {
  if (o.patch_body || o.patch_file) return "PATCH";
  if (o.put_file) return "PUT";
  if (o.post_body || o.post_file) return "POST";
  std::string method = o.method ? *o.method : config.method.value_or("GET");
  for (char& c : method) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return method;
}

void set_users_headers(const std::vector<std::string>& lines, HeaderList& headers) {
  for (const std::string& line : lines) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos) headers.set(line.substr(0, colon), line.substr(colon + 1));
  }
}

void set_cookies(const LoadtestOptions& options, const LoadtestConfig& config,
                 HeaderList& headers) {
  const std::vector<std::string>& cookies =
      options.cookies.empty() ? config.cookies : options.cookies;
  std::string joined;
  for (const std::string& cookie : cookies) joined += (joined.empty() ? "" : "; ") + cookie;
  if (!cookies.empty()) headers.move_to_end("Cookie", joined);
}

// As Node's url.parse(): a port that is written is kept.
std::string host_header(const Url& url) {
  const bool default_port = url.port == (url.tls ? 443 : 80);
  return url.host_header() + (url.port_written && default_port ? fmt::format(":{}", url.port) : "");
}

}  // namespace

Expected<Request> make_loadtest_request(const LoadtestOptions& options,
                                        const LoadtestConfig& config,
                                        const LoadtestSettings& settings) {
  const Url& url = settings.url;
  HeaderList headers;
  for (const Header& header : config.headers) headers.set(header.name, header.value);
  if (!url.websocket) {
    headers.set_default("host", host_header(url));
    headers.set_default("accept", "*/*");
  }
  set_users_headers(options.headers, headers);
  // The body that is sent has a length, and is not in chunks.
  for (const char* framing : {"content-length", "transfer-encoding"}) headers.erase(framing);
  headers.set_default("user-agent", "loadtest/" + std::string(kLoadtestVersion));
  const std::optional<std::string> type =
      options.content_type ? options.content_type
                           : (headers.has("content-type") ? std::nullopt : config.content_type);
  Expected<std::optional<Body>> body = read_body(options, config, type.value_or(""));
  if (!body) return unexpected(body.error());
  Request request;
  if (url.websocket) {
    set_cookies(options, config, headers);
    request.body = *body ? std::move((*body)->json) : R"({"some":"message"})";
    request.headers = headers.take();
    return request;
  }
  if (*body && (type || !headers.has("content-type"))) {
    headers.move_to_end("Content-Type", type.value_or("text/plain"));
  }
  set_cookies(options, config, headers);
  if (url.has_credentials && !headers.has("authorization")) {
    headers.move_to_end("Authorization", "Basic " + base::base64(url.user + ":" + url.password));
  }
  if (!headers.has("connection")) {
    headers.move_to_end("Connection", settings.keep_alive || settings.tcp ? "keep-alive" : "close");
  }
  request.method = method_of(options, config);
  if (*body) request.body = std::move((*body)->text);
  request.headers = headers.take();
  return request;
}

std::vector<std::string> header_complaints(const LoadtestOptions& options) {
  std::vector<std::string> lines;
  for (const std::string& header : options.headers) {
    if (header.find(':') != std::string::npos) continue;
    lines.push_back(fmt::format("Invalid header {}, it should be in the form -H key:value",
                                base::printable(header)));
  }
  return lines;
}

}  // namespace carronade::dialects::loadtest
