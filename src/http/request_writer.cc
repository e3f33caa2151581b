#include "http/request_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"
#include "http/head_fields.h"
#include "http/quoted.h"

namespace carronade::http {

namespace {

bool has_header(const Request& request, std::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const Header& header) { return base::iequals(header.name, name); });
}

bool breaks_line(char c) { return (c >= 0 && c <= ' ') || c == 0x7F; }

std::string percent_encode(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && !breaks_line(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", byte);
    }
  }
  return out;
}

// "" or what is wrong.
std::string check_request(const Url& url, const Request& request) {
  if (!base::is_token(request.method)) {
    return fmt::format("method {} is not a token (letters, digits and !#$%&'*+-.^_`|~)",
                       http::quoted(request.method));
  }
  const std::string& path = url.target;
  if (path.empty() || std::any_of(path.begin(), path.end(), breaks_line)) {
    return fmt::format("request target {} is empty or has a space or control character",
                       http::quoted(path));
  }
  for (const Header& header : request.headers) {
    if (!base::is_token(header.name)) {
      return fmt::format("header name {} is not a token (letters, digits and !#$%&'*+-.^_`|~)",
                         http::quoted(header.name));
    }
    if (header.value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return fmt::format("value of header {} has a line break or a NUL: {}",
                         http::quoted(header.name), http::quoted(header.value));
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

// Whether the values of a Connection field name the option.
bool has_option(std::string_view value, std::string_view option) {
  for (const std::string_view part : base::split(value, ',')) {
    if (base::iequals(base::trim(part), option)) return true;
  }
  return false;
}

// "" or what is wrong with a verbatim request.
std::string check_verbatim(std::string_view request) {
  const std::string_view line = status_line(request);
  const std::vector<std::string_view> words = base::split(line, ' ');
  const bool shaped = words.size() == 3 && base::is_token(words[0]) && !words[1].empty() &&
                      (words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0");
  if (!shaped) {
    return fmt::format("request line {} is not METHOD TARGET HTTP/1.1", quoted(line));
  }
  if (request.find("\r\n\r\n") == std::string_view::npos) {
    return "a verbatim request has no empty line behind its headers";
  }
  return "";
}

}  // namespace

Expected<RequestParts> request_parts(const Url& url, const Request& request) {
  if (std::string fault = check_request(url, request); !fault.empty()) return unexpected(fault);
  RequestParts parts;
  parts.target = request.path.empty() ? url.target : percent_encode(request.path);
  std::vector<Header>& headers = parts.headers;
  if (!has_header(request, "Host")) headers.push_back({"Host", url.host_header()});
  if (!has_header(request, "Connection")) headers.push_back({"Connection", "keep-alive"});
  for (const Header& header : request.headers) {
    if (!base::iequals(header.name, "Content-Length")) headers.push_back(header);
  }
  if (url.has_credentials && !has_header(request, "Authorization")) {
    headers.push_back({"Authorization", "Basic " + base::base64(url.user + ":" + url.password)});
  }
  parts.with_length = needs_content_length(request);
  return parts;
}

Expected<std::string> write_request(const Url& url, const Request& request) {
  if (!request.verbatim.empty()) {
    if (std::string fault = check_verbatim(request.verbatim); !fault.empty()) {
      return unexpected(fault);
    }
    return request.verbatim;
  }
  const Expected<RequestParts> parts = request_parts(url, request);
  if (!parts) return unexpected(parts.error());
  std::string out = request.method + " " + parts->target + " HTTP/1.1\r\n";
  const auto add = [&out](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
  };
  for (const Header& header : parts->headers) add(header.name, header.value);
  if (parts->with_length) add("Content-Length", std::to_string(request.body.size()));
  out += "\r\n";
  out += request.body;
  return out;
}

Expected<std::string> write_request(const Target& target) {
  return write_request(target.url, target.request);
}

bool is_idempotent(std::string_view method) {
  constexpr std::array<std::string_view, 6> kIdempotent = {"GET",    "HEAD",    "PUT",
                                                           "DELETE", "OPTIONS", "TRACE"};
  return std::find(kIdempotent.begin(), kIdempotent.end(), method) != kIdempotent.end();
}

bool asks_to_close(const Request& request) {
  if (!request.verbatim.empty()) return closes_socket(request.verbatim);
  return std::any_of(request.headers.begin(), request.headers.end(), [](const Header& header) {
    return base::iequals(header.name, "Connection") && has_option(header.value, "close");
  });
}

bool closes_socket(std::string_view request) {
  const std::string_view head = request.substr(0, request.find("\r\n\r\n"));
  bool closes = status_line(head).ends_with(" HTTP/1.0");
  const size_t line_end = std::min(head.find('\n'), head.size() - 1);
  for (FieldCursor cursor(head.substr(line_end + 1)); const auto field = cursor.next();) {
    if (!base::iequals(field->name, "Connection")) continue;
    if (has_option(field->value, "close")) return true;
    if (has_option(field->value, "keep-alive")) closes = false;
  }
  return closes;
}

bool is_http10(const Request& request) {
  return status_line(request.verbatim).ends_with(" HTTP/1.0");
}

std::string_view method_of(const Request& request) {
  const std::string_view verbatim = request.verbatim;
  return verbatim.empty() ? request.method : verbatim.substr(0, verbatim.find(' '));
}

}  // namespace carronade::http
