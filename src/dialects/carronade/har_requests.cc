#include "dialects/carronade/har_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace carronade::dialects {
namespace {

std::string origin_of(const Url& url) {
  return (url.tls ? "https://" : "http://") + url.host_header();
}

bool is_for(const HarEntry& entry, const Target& target) {
  return entry.url && entry.origin == origin_of(target.url);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::vector<std::string> origins_of(const std::vector<HarEntry>& entries) {
  std::vector<std::string> origins;
  for (const HarEntry& entry : entries) {
    if (std::find(origins.begin(), origins.end(), entry.origin) == origins.end()) {
      origins.push_back(entry.origin);
    }
  }
  return origins;
}

bool is_any_of(std::string_view name, const auto& names) {
  return std::any_of(names.begin(), names.end(),
                     [name](std::string_view other) { return base::iequals(name, other); });
}

bool has_header(const std::vector<Header>& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [name](const Header& header) { return base::iequals(header.name, name); });
}

// What describes the recorded connection, not the request (RFC 9110 7.6.1), and what follows
// from the URL and the body anyway. `options` are those that the Connection header lists.
bool is_of_connection(std::string_view name, const std::vector<std::string_view>& options) {
  constexpr std::array<std::string_view, 11> kNames = {
      "Connection",    "Keep-Alive",        "Proxy-Connection", "Proxy-Authorization", "TE",
      "Trailer",       "Transfer-Encoding", "Upgrade",          "HTTP2-Settings",      "Host",
      "Content-Length"};
  return name.starts_with(':') || is_any_of(name, kNames) || is_any_of(name, options);
}

std::vector<Header> plain_headers(const std::vector<Header>& given,
                                  const std::vector<Header>& recorded) {
  std::vector<std::string_view> options;
  for (const Header& header : recorded) {
    if (!base::iequals(header.name, "Connection")) continue;
    for (const std::string_view option : base::split(header.value, ',')) {
      options.push_back(base::trim(option));
    }
  }
  std::vector<Header> own;
  std::copy_if(recorded.begin(), recorded.end(), std::back_inserter(own),
               [&](const Header& header) { return !is_of_connection(header.name, options); });
  std::vector<Header> headers;
  std::copy_if(given.begin(), given.end(), std::back_inserter(headers),
               [&own](const Header& header) { return !has_header(own, header.name); });
  headers.insert(headers.end(), own.begin(), own.end());
  return headers;
}

// Like the members of a JavaScript object: the last of a name wins, in the place of the first.
// autocannon's own Connection comes before, whatever else is there. What a recording of HTTP/2
// or of a chunked request has can not be sent beside it.
std::vector<Header> strict_headers(const std::vector<Header>& given,
                                   const std::vector<Header>& recorded) {
  std::vector<Header> headers = {{"Connection", "keep-alive"}};
  const auto set = [&headers](const Header& header) {
    const auto same =
        std::find_if(headers.begin() + 1, headers.end(),
                     [&header](const Header& known) { return known.name == header.name; });
    if (same == headers.end()) {
      headers.push_back(header);
    } else {
      same->value = header.value;
    }
  };
  std::for_each(given.begin(), given.end(), set);
  for (const Header& header : recorded) {
    const bool unfit =
        header.name.starts_with(':') || base::iequals(header.name, "Transfer-Encoding");
    if (!unfit) set(header);
  }
  return headers;
}

// "" or what is wrong.
std::string check_request(const Request& request) {
  if (!base::is_token(request.method)) {
    return fmt::format("method \"{}\" is not an HTTP token", base::printable(request.method));
  }
  if (request.method == "CONNECT") return "CONNECT asks for a tunnel, not for an answer";
  for (const Header& header : request.headers) {
    if (!base::is_token(header.name)) {
      return fmt::format("\"{}\" is no name of a header", base::printable(header.name));
    }
    if (header.value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return fmt::format("the value of header {} holds a line break or a NUL", header.name);
    }
  }
  return "";
}

Request make_request(const HarEntry& entry, const Request& given, Form form) {
  Request request = entry.request;
  request.path = entry.url->target;
  if (form == Form::kPlain) {
    request.headers = plain_headers(given.headers, entry.request.headers);
    return request;
  }
  request.path += entry.fragment;
  request.headers = strict_headers(given.headers, entry.request.headers);
  if (!entry.has_body) request.body = given.body;
  return request;
}

}  // namespace

SpecResult apply_har(const std::vector<HarEntry>& entries, const std::string& file, Form form,
                     std::vector<Target>& targets) {
  for (Target& target : targets) {
    for (const HarEntry& entry : entries) {
      if (!is_for(entry, target)) continue;
      Request request = make_request(entry, target.request, form);
      if (form == Form::kStrict) {
        const Expected<void> method = check_method(request.method, form);
        if (!method) return refusal(method.error().text);
      }
      if (std::string why = check_request(request); !why.empty()) {
        return fault(fmt::format("--har {}: entry #{}: {}", file, entry.number, why));
      }
      target.sequence.push_back(std::move(request));
    }
    if (target.sequence.empty() && form == Form::kPlain) {
      return fault(fmt::format("--har {} has no entry for {}; it has them for {}", file,
                               origin_of(target.url), joined(origins_of(entries))));
    }
  }
  return {};
}

std::vector<std::string> skipped_origins(const std::vector<HarEntry>& entries,
                                         const std::vector<Target>& targets) {
  std::vector<std::string> wanted;
  wanted.reserve(targets.size());
  for (const Target& target : targets) wanted.push_back(origin_of(target.url));
  std::vector<std::string> lines;
  for (const std::string& origin : origins_of(entries)) {
    if (std::find(wanted.begin(), wanted.end(), origin) != wanted.end()) continue;
    lines.push_back(
        fmt::format("skipping requests to '{}' as the target is {}", origin, joined(wanted)));
  }
  return lines;
}

}  // namespace carronade::dialects
