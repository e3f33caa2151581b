#include "dialects/vegeta/vegeta_attack_errors.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/go_flags.h"

namespace carronade::dialects::vegeta {
namespace {

// The engine's "connect 127.0.0.1:1: Connection refused" in its parts.
struct Parts {
  std::string_view where;
  std::string reason;  // as Go words it
};

Parts cut(std::string_view text) {
  const size_t begin = text.find(' ');
  const size_t end = begin == std::string_view::npos ? begin : text.find(": ", begin);
  if (end == std::string_view::npos) return {"", std::string(text)};
  Parts parts{text.substr(begin + 1, end - begin - 1), std::string(text.substr(end + 2))};
  // Go words the system's reasons without a capital letter.
  const bool word = parts.reason.size() > 1 && parts.reason[1] >= 'a' && parts.reason[1] <= 'z';
  if (word && parts.reason[0] >= 'A' && parts.reason[0] <= 'Z') parts.reason[0] |= 0x20;
  return parts;
}

std::string dialing(std::string_view where, std::string_view local) {
  if (where.starts_with('/') || where.starts_with('@')) return fmt::format("dial unix {}", where);
  // Of an IPv6 destination Go's wildcard is [::].
  if (local.empty() && where.starts_with('[')) return fmt::format("dial tcp {}", where);
  return fmt::format("dial tcp {}:0->{}", local.empty() ? "0.0.0.0" : local, where);
}

std::string certificate_reason(const std::string& reason) {
  for (const std::string_view unknown : {"self-signed", "self signed", "local issuer"}) {
    if (reason.find(unknown) != std::string::npos) {
      return "x509: certificate signed by unknown authority";
    }
  }
  if (reason.find("expired") != std::string::npos) {
    return "x509: certificate has expired or is not yet valid: " + reason;
  }
  return "x509: " + reason;
}

// Go tells of a proxy's refusal by the words behind the status, "Forbidden".
std::string proxy_reason(std::string_view engine_text, const std::string& reason) {
  constexpr std::string_view kStatusLine = "it answered HTTP/";
  const size_t line = engine_text.find(kStatusLine);
  if (line == std::string::npos) return reason;
  const size_t status = engine_text.find(' ', line + kStatusLine.size());
  const size_t words = status == std::string::npos ? status : engine_text.find(' ', status + 1);
  return words == std::string::npos ? "unknown status code"
                                    : std::string(engine_text.substr(words + 1));
}

}  // namespace

std::string go_error_prefix(std::string_view method, std::string_view url) {
  std::string verb = base::to_lower(method);
  if (!method.empty()) verb[0] = method[0];
  std::string shown(url);
  const size_t begin = shown.find("://");
  const size_t end = begin == std::string::npos ? begin : shown.find_first_of("/?#", begin + 3);
  const size_t at = begin == std::string::npos ? begin : shown.rfind('@', end);
  if (at != std::string::npos && at > begin) {
    const size_t colon = shown.find(':', begin + 3);
    if (colon < at) shown.replace(colon + 1, at - colon - 1, "***");
  }
  return verb + " " + cli::go_quoted(shown) + ": ";
}

std::string go_client_error(const Loss& loss, std::string_view method, std::string_view url,
                            std::string_view local) {
  const Parts parts = cut(loss.text);
  const std::string dial = dialing(parts.where, local);
  std::string text;
  switch (loss.kind) {
    case ErrorKind::kConnectRefused:
    case ErrorKind::kConnectFailed:
    case ErrorKind::kOutOfPorts:
      text = dial + ": connect: " + parts.reason;
      break;
    case ErrorKind::kConnectTimeout:
      text = dial + ": i/o timeout";
      break;
    case ErrorKind::kOutOfDescriptors:
    case ErrorKind::kOutOfMemory:
      text = dial + ": socket: " + parts.reason;
      break;
    case ErrorKind::kResolveFailed: {
      const bool unknown = parts.reason == "name or service not known";
      text = fmt::format("lookup {}: {}", parts.where, unknown ? "no such host" : parts.reason);
      break;
    }
    case ErrorKind::kTimeout:
      text = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
      break;
    case ErrorKind::kClosedBeforeResponse:
      text = "EOF";
      break;
    case ErrorKind::kTruncatedResponse:
      return "unexpected EOF";
    case ErrorKind::kConnectionReset:
    case ErrorKind::kReadFailed:
    case ErrorKind::kWriteFailed: {
      const std::string_view step = loss.phase == Phase::kWrite ? "write" : "read";
      text = fmt::format("{} tcp {}: {}: {}", step, parts.where, step, parts.reason);
      break;
    }
    case ErrorKind::kTlsCertificate:
      text = certificate_reason(parts.reason);
      break;
    case ErrorKind::kProxyRefused:
      text = proxy_reason(loss.text, parts.reason);
      break;
    case ErrorKind::kMalformedResponse:
      text = "net/http: HTTP/1.x transport connection broken: " + parts.reason;
      break;
    default:
      text = parts.reason;
  }
  return go_error_prefix(method, url) + text;
}

}  // namespace carronade::dialects::vegeta
