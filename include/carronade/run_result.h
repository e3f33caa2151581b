// What a run found: a value. It merges, serialises (report/result_json.h) and can be kept.
// Times are nanoseconds of CLOCK_MONOTONIC unless the name says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carronade/error.h"
#include "carronade/health.h"
#include "carronade/histogram.h"
#include "carronade/rate_result.h"
#include "carronade/websocket_result.h"
#include "carronade/window.h"

namespace carronade {

// What ended the run.
enum class StoppedBy : uint8_t {
  kDuration,
  kAmount,
  kConnectionRequests,  // every connection used up its own quota
  kBailout,
  kUser,         // Run::stop, Ctrl-C
  kUnreachable,  // no connection could be made for the length of the timeout, and there was no
                 // duration to wait for
  kData,         // the data file, or the user's own source, has no more
  kUnresolved,   // no target's name could be resolved: nothing was sent
};
std::string_view stopped_by_name(StoppedBy why);  // "duration", "amount", …

struct ErrorCount {
  ErrorKind kind;
  Phase phase;
  std::string text;       // first example
  uint64_t count = 0;     // how often; a request that was sent and lost counts once
  uint64_t requests = 0;  // of these, sent requests: the sum over all rows is failed + timed_out
};

// What the first TLS handshake of a run agreed on, in OpenSSL's words.
struct TlsFacts {
  std::string protocol;  // "TLSv1.3"
  std::string cipher;    // "TLS_AES_256_GCM_SHA384"
  int64_t cipher_bits = 0;
  int64_t peer_key_bits = 0;  // of the server's certificate
  std::string temporary_key;  // of the key exchange, "X25519"; "" when there was none
  int64_t temporary_key_bits = 0;
};

struct RunResult {
  StoppedBy stopped_by = StoppedBy::kDuration;
  int64_t start_unix_ns = 0;           // wall clock, for the report only
  int64_t elapsed_ns = 0;              // start to the last event that counts
  std::vector<std::string> addresses;  // tried or used, `127.0.0.1:80`, `/run/x.sock`
  std::string protocol = "HTTP/1.1";
  std::optional<TlsFacts> tls;  // null without TLS, or when no handshake was done

  // Connections.
  uint64_t connections_asked = 0;
  uint64_t connections_peak = 0;    // most open at once; of several workers the sum of theirs
  uint64_t connections_opened = 0;  // handshake done, reconnects included
  uint64_t reconnects = 0;

  // Requests. sent = answered + failed + timed_out + in_flight, always; planned = sent +
  // dropped when an amount or a rate was asked for, else planned = 0.
  uint64_t planned = 0;
  uint64_t sent = 0;       // first byte handed to the kernel; a retry does not count again
  uint64_t answered = 0;   // complete final responses of any status
  uint64_t failed = 0;     // sent, then an error other than a timeout
  uint64_t timed_out = 0;  // sent, then no complete answer in time
  uint64_t in_flight = 0;  // sent and not ended when the run ended
  // Sent again after an idle close, or behind an announced one; each time counts. The latency of
  // such a request runs from its first sending.
  uint64_t retried = 0;
  uint64_t dropped = 0;     // planned, never sent: no connection, or the run ended first
  uint64_t mismatched = 0;  // answered with another body than the one expected

  std::array<uint64_t, 1000> by_status{};  // answered, by status code 0 … 999; 0: WebSocket
  std::vector<ErrorCount> errors;          // most frequent first
  uint64_t bytes_sent = 0;                 // on the wire above TLS
  uint64_t bytes_received = 0;             // headers and bodies of all answers, whole or not
  uint64_t bytes_body = 0;                 // body bytes after the transfer coding

  // Response time: last byte − due. In a closed loop due is sent, and it is the service time too.
  Histogram latency;
  Histogram first_byte;      // first byte − sent
  Histogram connect;         // TCP or Unix connect
  Histogram tls_handshake;   // after connect
  uint64_t tls_resumed = 0;  // handshakes that resumed a session

  int64_t sample_interval_ns = 1'000'000'000;
  std::vector<Window> samples;
  std::vector<Window> series;
  std::vector<Interval> intervals;

  std::optional<RateResult> rate;            // open loop
  std::optional<WebSocketResult> websocket;  // some target is ws or wss
  std::optional<WarmupResult> warmup;        // when RunSpec::find_warmup asked for it
  std::vector<WorkerHealth> workers;
  HostHealth host;

  bool open_loop() const { return rate.has_value(); }
  uint64_t error_total() const;  // all errors and timeouts, with and without a request
  uint64_t timeout_total() const;
  uint64_t non_2xx() const;                   // WebSocket messages have no status and are not in it
  uint64_t status_class(int hundreds) const;  // 1 … 9
  bool conserved() const { return sent == answered + failed + timed_out + in_flight; }
};

}  // namespace carronade
