#include "dialects/ab/ab_faults.h"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"

namespace carronade::dialects::ab {
namespace {

constexpr int kLastErrno = 133;         // of Linux
constexpr int kResolverCodes = 670000;  // APR adds the negated EAI code
constexpr int kPollTimeout = 70007;     // APR_TIMEUP

AbFault system_fault(std::string_view call, int error) {
  return {fmt::format("{}: {} ({})", call, base::errno_text(error), error), error};
}

int errno_or(std::string_view text, int fallback) {
  const int found = errno_in(text);
  return found != 0 ? found : fallback;
}

std::optional<AbFault> socket_fault(const Loss& loss) {
  switch (loss.kind) {
    case ErrorKind::kConnectRefused:
      return system_fault("apr_socket_recv", ECONNREFUSED);
    case ErrorKind::kConnectFailed:
      return system_fault("apr_socket_recv", errno_or(loss.text, ECONNABORTED));
    case ErrorKind::kConnectionReset:
      // A reset while writing is a write error, which ab goes on after.
      if (loss.phase == Phase::kWrite) return std::nullopt;
      return system_fault("apr_socket_recv", ECONNRESET);
    case ErrorKind::kReadFailed:
      return system_fault("apr_socket_recv", errno_or(loss.text, EIO));
    case ErrorKind::kOutOfPorts:
      return system_fault("apr_socket_connect()", errno_or(loss.text, EADDRNOTAVAIL));
    case ErrorKind::kOutOfMemory:
      return system_fault("apr_socket_connect()", errno_or(loss.text, ENOBUFS));
    default:
      return std::nullopt;
  }
}

}  // namespace

int errno_in(std::string_view engine_text) {
  int found = 0;
  size_t longest = 0;
  for (int error = 1; error <= kLastErrno; ++error) {
    const std::string text = base::errno_text(error);
    if (text.size() <= longest || engine_text.find(text) == std::string_view::npos) continue;
    found = error;
    longest = text.size();
  }
  return found;
}

void count_loss(const Loss& loss, AbFailures& failures) {
  const uint64_t count = std::max<uint32_t>(loss.requests, 1);
  switch (loss.kind) {
    case ErrorKind::kResolveFailed:
    case ErrorKind::kConnectRefused:
    case ErrorKind::kConnectFailed:
    case ErrorKind::kConnectTimeout:
    case ErrorKind::kOutOfDescriptors:
    case ErrorKind::kOutOfPorts:
    case ErrorKind::kOutOfMemory:
    case ErrorKind::kTlsHandshake:
    case ErrorKind::kTlsCertificate:
    case ErrorKind::kProxyRefused:
      failures.connect += count;
      break;
    case ErrorKind::kConnectionReset:
    case ErrorKind::kReadFailed:
      (loss.phase == Phase::kWrite ? failures.write : failures.receive) += count;
      break;
    case ErrorKind::kWriteFailed:
      failures.write += count;
      break;
    case ErrorKind::kClosedBeforeResponse:
    case ErrorKind::kTruncatedResponse:
      failures.length += count;
      break;
    default:
      failures.exceptions += count;
  }
}

std::optional<AbFault> fault_of(const Loss& loss, bool go_on, bool idle) {
  if (loss.kind == ErrorKind::kOutOfDescriptors) {
    return system_fault("socket", errno_or(loss.text, EMFILE));
  }
  const bool timeout = loss.kind == ErrorKind::kTimeout || loss.kind == ErrorKind::kConnectTimeout;
  if (timeout && idle) {
    return AbFault{
        fmt::format("apr_pollset_poll: The timeout specified has expired ({})", kPollTimeout),
        kPollTimeout & 0xff};
  }
  return go_on ? std::nullopt : socket_fault(loss);
}

std::optional<AbFault> connect_fault_of(const Loss& loss) {
  constexpr const char* kAborted = "\nTest aborted after 10 failures\n\n";
  if (loss.kind == ErrorKind::kProxyRefused) {
    return AbFault{kAborted + ("ab: " + std::string(loss.text)), ECONNREFUSED};
  }
  if (loss.phase != Phase::kConnect || loss.kind == ErrorKind::kConnectTimeout) return std::nullopt;
  AbFault fault = system_fault("apr_socket_connect()", errno_or(loss.text, ECONNREFUSED));
  fault.message = kAborted + fault.message;
  return fault;
}

AbFault lookup_fault(std::string_view host, std::string_view engine_text) {
  int code = EAI_NONAME;
  for (const int other : {EAI_AGAIN, EAI_FAIL, EAI_FAMILY, EAI_MEMORY, EAI_SERVICE, EAI_SYSTEM}) {
    if (engine_text.find(gai_strerror(other)) != std::string_view::npos) code = other;
  }
  const int status = kResolverCodes - code;
  return {fmt::format("apr_sockaddr_info_get() for {}: {} ({})", host, gai_strerror(code), status),
          status & 0xff};
}

}  // namespace carronade::dialects::ab
