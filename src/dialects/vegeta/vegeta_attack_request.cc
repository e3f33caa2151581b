#include "dialects/vegeta/vegeta_attack_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "base/text.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr std::string_view kSequence = "X-Vegeta-Seq";
constexpr std::string_view kAttack = "X-Vegeta-Attack";
constexpr std::string_view kAgent = "User-Agent";

// A request before it is text.
struct Draft {
  std::string method;
  Url url;
  std::vector<Header> headers;
  std::string host;  // "": the URL's
  Body body;         // not chunked
};

std::string_view value_of(const std::vector<Header>& headers, std::string_view name) {
  for (const Header& header : headers) {
    if (header.name == name) return header.value;
  }
  return "";
}

void remove_field(std::vector<Header>& headers, std::string_view name) {
  std::erase_if(headers, [&](const Header& header) { return header.name == name; });
}

void set(std::vector<Header>& headers, std::string_view name, std::string value) {
  remove_field(headers, name);
  headers.push_back({std::string(name), std::move(value)});
}

bool has_body(const Draft& draft) { return draft.body != nullptr && !draft.body->empty(); }

bool asks_to_close(const std::vector<Header>& headers) {
  return std::any_of(headers.begin(), headers.end(), [](const Header& header) {
    if (!base::iequals(header.name, "Connection")) return false;
    const std::vector<std::string_view> tokens = base::split(header.value, ',');
    return std::any_of(tokens.begin(), tokens.end(), [](std::string_view token) {
      return base::iequals(base::trim(token), "close");
    });
  });
}

void append_line(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

Body in_chunks(const std::string& body) {
  return std::make_shared<const std::string>(
      fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body));
}

// Length or transfer coding, the length of no body only where one is expected.
void append_framing(const Draft& draft, bool chunked, std::string& out) {
  constexpr std::array<std::string_view, 3> kWithBody{"POST", "PUT", "PATCH"};
  if (has_body(draft) && chunked) {
    append_line(out, "Transfer-Encoding", "chunked");
  } else if (has_body(draft)) {
    append_line(out, "Content-Length", fmt::format("{}", draft.body->size()));
  } else if (std::find(kWithBody.begin(), kWithBody.end(), draft.method) != kWithBody.end()) {
    append_line(out, "Content-Length", "0");
  }
}

AttackRequest finish(Draft draft, const RequestRules& rules, const Proxy* proxy) {
  AttackRequest request;
  request.method = draft.method;
  request.path = draft.url.target;
  request.host = draft.host.empty() ? written_host(draft.url) : draft.host;
  if (proxy != nullptr) {
    request.path = "http://" + request.host + request.path;
  }
  std::string_view agent = value_of(draft.headers, kAgent);
  if (agent.empty()) agent = "Go-http-client/1.1";
  append_line(request.front, kAgent, agent);
  append_framing(draft, rules.chunked, request.front);
  remove_field(draft.headers, kAgent);
  remove_field(draft.headers, kSequence);
  if (!rules.attack_name.empty()) set(draft.headers, kAttack, rules.attack_name);

  request.asks_gzip = draft.method != "HEAD" && value_of(draft.headers, "Range").empty() &&
                      value_of(draft.headers, "Accept-Encoding").empty();
  const bool closes = asks_to_close(draft.headers);
  request.last_on_socket = closes || !rules.keep_alive;
  std::stable_sort(draft.headers.begin(), draft.headers.end(),
                   [](const Header& a, const Header& b) { return a.name < b.name; });
  for (const Header& header : draft.headers) {
    append_line(header.name < kSequence ? request.front : request.back, header.name, header.value);
  }
  if (request.asks_gzip) append_line(request.back, "Accept-Encoding", "gzip");
  if (request.last_on_socket && !closes) append_line(request.back, "Connection", "close");
  if (proxy != nullptr && !proxy->authorization.empty()) {
    append_line(request.back, "Proxy-Authorization", proxy->authorization);
  }
  request.back += "\r\n";
  if (!has_body(draft)) return request;
  request.bytes_out = draft.body->size();
  request.body = rules.chunked ? in_chunks(*draft.body) : std::move(draft.body);
  return request;
}

void add_credentials(Draft& draft) {
  const Url& url = draft.url;
  if (!url.has_credentials || !value_of(draft.headers, "Authorization").empty()) return;
  set(draft.headers, "Authorization", "Basic " + base::base64(url.user + ":" + url.password));
}

// The lines that a target's headers became, without those that finish() adds.
std::vector<Header> headers_of(const AttackRequest& request) {
  std::vector<Header> headers;
  const std::string text = request.front + request.back;
  for (std::string_view line : base::split(text, '\n')) {
    line = base::trim(line);
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    headers.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
  }
  for (const std::string_view made :
       {"Content-Length", "Transfer-Encoding", "Proxy-Authorization"}) {
    remove_field(headers, made);
  }
  if (request.asks_gzip) remove_field(headers, "Accept-Encoding");
  return headers;
}

// The part of a URL's text that tells others where a request came from.
std::string referrer(const Url& from, const Url& to) {
  if (from.tls && !to.tls) return "";
  return (from.tls ? "https://" : "http://") + written_host(from) + from.target;
}

}  // namespace

std::string written_host(const Url& url) {
  const std::string origin = url.origin();
  return origin.substr(origin.find("://") + 3);
}

AttackRequest make_request(const AttackTarget& target, const RequestRules& rules,
                           const Proxy* proxy, std::vector<std::string>& dropped) {
  Draft draft{.method = target.method,
              .url = target.url,
              .headers = target.headers,
              .host = std::string(value_of(target.headers, "Host")),
              .body = target.body};
  remove_field(draft.headers, "Host");
  std::erase_if(draft.headers, [&](const Header& header) {
    for (const std::string_view name : {"Content-Length", "Transfer-Encoding", "Trailer"}) {
      if (!base::iequals(header.name, name)) continue;
      dropped.push_back(header.name + ": " + header.value);
      return true;
    }
    return false;
  });
  add_credentials(draft);
  AttackRequest request = finish(std::move(draft), rules, proxy);
  request.url_text = target.url_text;
  return request;
}

void append_request(const AttackRequest& request, uint64_t seq, std::string& out) {
  out.append(request.method).append(" ").append(request.path);
  out.append(" HTTP/1.1\r\nHost: ").append(request.host).append("\r\n").append(request.front);
  fmt::format_to(std::back_inserter(out), "{}: {}\r\n", kSequence, seq);
  out.append(request.back);
  if (request.body != nullptr) out.append(*request.body);
}

bool is_redirect(uint16_t status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

AttackRequest redirected(const AttackRequest& request, const Url& from, const Url& to,
                         uint16_t status, const RequestRules& rules, const Proxy* proxy) {
  const bool keeps = status == 307 || status == 308;
  const bool elsewhere = written_host(from) != written_host(to) || from.tls != to.tls;
  Draft draft{.method = keeps || request.method == "HEAD" ? request.method : "GET",
              .url = to,
              .headers = headers_of(request),
              .host = elsewhere || request.host == written_host(from) ? "" : request.host,
              .body = nullptr};
  if (keeps && request.body != nullptr) {
    // What is chunked has its size in front, and is one chunk.
    draft.body = request.body;
    if (rules.chunked) {
      const size_t begin = request.body->find('\n') + 1;
      draft.body = std::make_shared<const std::string>(*request.body, begin, request.bytes_out);
    }
  }
  if (elsewhere) {
    for (const std::string_view name : {"Authorization", "Cookie", "Www-Authenticate"}) {
      remove_field(draft.headers, name);
    }
  }
  add_credentials(draft);
  if (const std::string text = referrer(from, to); !text.empty()) {
    set(draft.headers, "Referer", text);
  }
  AttackRequest next = finish(std::move(draft), rules, proxy);
  next.url_text = request.url_text;
  next.bytes_out = request.bytes_out;
  return next;
}

}  // namespace carronade::dialects::vegeta
