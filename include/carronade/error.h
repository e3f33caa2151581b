// What can go wrong with one request or one connection while a run goes on. Such errors are
// counted, never thrown: each has a kind, a phase and a text with the address and the reason
// (`connect 127.0.0.1:9: Connection refused`).
#pragma once

#include <cstdint>
#include <string_view>

namespace carronade {

// Where in the life of a request an error happened.
enum class Phase : uint8_t {
  kResolve,
  kConnect,
  kTls,
  kWrite,
  kRead,
  kParse,
  kTimeout,
  kProxy,    // asking the proxy for a tunnel
  kUpgrade,  // the WebSocket handshake
};

// Whose fault it is: a fault of this machine says nothing about the server.
enum class FaultSide : uint8_t { kServer, kThisMachine };

enum class ErrorKind : uint8_t {
  // The connection could not be made.
  kResolveFailed,
  kConnectRefused,
  kConnectFailed,     // unreachable, reset, permission …: the text has the system's reason
  kConnectTimeout,    // no connection (TCP or TLS) within the request timeout
  kOutOfDescriptors,  // EMFILE, ENFILE
  kOutOfPorts,        // EADDRNOTAVAIL, EADDRINUSE on connect
  kOutOfMemory,       // ENOBUFS, ENOMEM
  kTlsHandshake,
  kTlsCertificate,  // the server's certificate was refused by verification
  // A connection was there. How many requests were lost to it says ErrorCount::requests.
  kTimeout,
  kConnectionReset,       // reset by peer while writing or reading
  kClosedBeforeResponse,  // closed with no byte of an answer
  kTruncatedResponse,     // closed in the middle of an answer
  kTlsFailed,             // TLS broke after the handshake
  kReadFailed,
  kWriteFailed,
  kMalformedResponse,  // not HTTP/1.x: status line, header or obs-fold; the text says which
  kHeadersTooLarge,    // more than 64 KiB of header
  kConflictingLength,  // Content-Length twice with different values, or beside chunked
  kMalformedChunk,
  kUnsupportedEncoding,  // a Transfer-Encoding whose last coding is not chunked
  kExcessBytes,          // bytes after the last expected response
  // No request could be made.
  kDataFile,  // a row of the data file cannot be read any more; ends the run
  // Behind the others, so that numbers in files keep their meaning.
  kProxyRefused,    // the proxy answered CONNECT with another status than 2xx
  kUpgradeRefused,  // the answer to a WebSocket handshake was not 101, or not an answer to it
  kMalformedFrame,  // a WebSocket frame against RFC 6455; the text says which rule
  kCount_,
};
inline constexpr int kErrorKinds = static_cast<int>(ErrorKind::kCount_);

// Stable names for JSON, e.g. "connect_refused", "parse". Never empty.
std::string_view error_kind_name(ErrorKind kind);
std::string_view phase_name(Phase phase);

// kThisMachine for descriptors, ports, memory, the resolver and the data file.
FaultSide fault_side(ErrorKind kind);

}  // namespace carronade
