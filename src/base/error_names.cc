// The names and classes of carronade/error.h, and the names of what stops a run.
#include "base/check.h"
#include "carronade/error.h"
#include "carronade/run_result.h"

namespace carronade {

std::string_view error_kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kResolveFailed:
      return "resolve_failed";
    case ErrorKind::kConnectRefused:
      return "connect_refused";
    case ErrorKind::kConnectFailed:
      return "connect_failed";
    case ErrorKind::kConnectTimeout:
      return "connect_timeout";
    case ErrorKind::kOutOfDescriptors:
      return "out_of_descriptors";
    case ErrorKind::kOutOfPorts:
      return "out_of_ports";
    case ErrorKind::kOutOfMemory:
      return "out_of_memory";
    case ErrorKind::kTlsHandshake:
      return "tls_handshake";
    case ErrorKind::kTlsCertificate:
      return "tls_certificate";
    case ErrorKind::kTimeout:
      return "timeout";
    case ErrorKind::kConnectionReset:
      return "connection_reset";
    case ErrorKind::kClosedBeforeResponse:
      return "closed_before_response";
    case ErrorKind::kTruncatedResponse:
      return "truncated_response";
    case ErrorKind::kTlsFailed:
      return "tls_failed";
    case ErrorKind::kReadFailed:
      return "read_failed";
    case ErrorKind::kWriteFailed:
      return "write_failed";
    case ErrorKind::kMalformedResponse:
      return "malformed_response";
    case ErrorKind::kHeadersTooLarge:
      return "headers_too_large";
    case ErrorKind::kConflictingLength:
      return "conflicting_length";
    case ErrorKind::kMalformedChunk:
      return "malformed_chunk";
    case ErrorKind::kUnsupportedEncoding:
      return "unsupported_encoding";
    case ErrorKind::kExcessBytes:
      return "excess_bytes";
    case ErrorKind::kDataFile:
      return "data_file";
    case ErrorKind::kProxyRefused:
      return "proxy_refused";
    case ErrorKind::kUpgradeRefused:
      return "upgrade_refused";
    case ErrorKind::kMalformedFrame:
      return "malformed_frame";
    case ErrorKind::kCount_:
      break;
  }
  base::check_failed("a known ErrorKind", __FILE__, __LINE__);
}

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kResolve:
      return "resolve";
    case Phase::kConnect:
      return "connect";
    case Phase::kTls:
      return "tls";
    case Phase::kWrite:
      return "write";
    case Phase::kRead:
      return "read";
    case Phase::kParse:
      return "parse";
    case Phase::kTimeout:
      return "timeout";
    case Phase::kProxy:
      return "proxy";
    case Phase::kUpgrade:
      return "upgrade";
  }
  base::check_failed("a known Phase", __FILE__, __LINE__);
}

FaultSide fault_side(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kResolveFailed:
    case ErrorKind::kOutOfDescriptors:
    case ErrorKind::kOutOfPorts:
    case ErrorKind::kOutOfMemory:
    case ErrorKind::kDataFile:
      return FaultSide::kThisMachine;
    default:
      return FaultSide::kServer;
  }
}

std::string_view stopped_by_name(StoppedBy why) {
  switch (why) {
    case StoppedBy::kDuration:
      return "duration";
    case StoppedBy::kAmount:
      return "amount";
    case StoppedBy::kConnectionRequests:
      return "connection_requests";
    case StoppedBy::kBailout:
      return "bailout";
    case StoppedBy::kUnreachable:
      return "unreachable";
    case StoppedBy::kData:
      return "data";
    case StoppedBy::kUnresolved:
      return "unresolved";
    case StoppedBy::kUser:
      return "user";
  }
  base::check_failed("a known StoppedBy", __FILE__, __LINE__);
}

}  // namespace carronade
