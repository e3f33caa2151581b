#include "http/request_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "http/quoted.h"

namespace carronade::http {

namespace {

bool has_header(const Request& request, std::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const Header& header) { return base::iequals(header.name, name); });
}

// "" or what is wrong.
std::string check_request(const Target& target) {
  if (!base::is_token(target.request.method)) {
    return fmt::format("method {} is not a token (letters, digits and !#$%&'*+-.^_`|~)",
                       quoted(target.request.method));
  }
  const std::string& path = target.url.target;
  const auto breaks_line = [](char c) { return (c >= 0 && c <= ' ') || c == 0x7F; };
  if (path.empty() || std::any_of(path.begin(), path.end(), breaks_line)) {
    return fmt::format("request target {} is empty or has a space or control character",
                       quoted(path));
  }
  for (const Header& header : target.request.headers) {
    if (!base::is_token(header.name)) {
      return fmt::format("header name {} is not a token (letters, digits and !#$%&'*+-.^_`|~)",
                         quoted(header.name));
    }
    if (header.value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return fmt::format("value of header {} has a line break or a NUL: {}", quoted(header.name),
                         quoted(header.value));
    }
  }
  return "";
}

bool needs_content_length(const Request& request) {
  // The user frames the body himself: RFC 9112 6.2 forbids a Content-Length beside it.
  if (has_header(request, "Transfer-Encoding")) return false;
  const std::string& method = request.method;
  return !request.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

Expected<std::string> write_request(const Target& target) {
  if (std::string fault = check_request(target); !fault.empty()) return unexpected(fault);
  const Url& url = target.url;
  const Request& request = target.request;
  std::string out = request.method + " " + url.target + " HTTP/1.1\r\n";
  const auto add = [&out](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
  };
  if (!has_header(request, "Host")) add("Host", url.host_header());
  if (!has_header(request, "Connection")) add("Connection", "keep-alive");
  for (const Header& header : request.headers) {
    if (!base::iequals(header.name, "Content-Length")) add(header.name, header.value);
  }
  if (url.has_credentials && !has_header(request, "Authorization")) {
    add("Authorization", "Basic " + base::base64(url.user + ":" + url.password));
  }
  if (needs_content_length(request)) add("Content-Length", std::to_string(request.body.size()));
  out += "\r\n";
  out += request.body;
  return out;
}

bool is_idempotent(std::string_view method) {
  constexpr std::array<std::string_view, 6> kIdempotent = {"GET",    "HEAD",    "PUT",
                                                           "DELETE", "OPTIONS", "TRACE"};
  return std::find(kIdempotent.begin(), kIdempotent.end(), method) != kIdempotent.end();
}

}  // namespace carronade::http
