// Every option of a run: a passive struct that front ends fill. Validation happens once, in
// Run::create; the engine sees only the checked copy. Totals are totals over all workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carronade/proxy_spec.h"
#include "carronade/rate_spec.h"
#include "carronade/request.h"
#include "carronade/request_source.h"
#include "carronade/tls_spec.h"
#include "carronade/url.h"

namespace carronade {

struct Target {
  Url url;
  Request request;
  // When not empty: sent in turn instead of `request`; each connection begins with the first.
  std::vector<Request> sequence{};
  // With a ws or wss URL the request's headers go with the handshake, and its body is the message:
  // text (UTF-8) or binary. No sequence, ids, templates or verbatim request there; a RequestSource
  // gives whole frames (carronade/websocket_frame.h).
  bool binary_message = false;
};

// In which order the rows of a data file are used. One cursor serves all workers.
enum class DataMode : uint8_t {
  kSequence,  // first to last, then from the first again
  kShuffle,   // each round in another order, drawn from the seed
  kOnce,      // first to last; the run ends behind the last (StoppedBy::kData)
};

// A CSV file (RFC 4180) whose first row names the columns: {{csv.NAME}} in a template.
struct DataSpec {
  std::string file;
  DataMode mode = DataMode::kSequence;
};

struct RunSpec {
  // Connection i uses target i mod targets.size(). At least one.
  std::vector<Target> targets;
  // Connect to this Unix socket instead of the URL's host; "" for none.
  std::string unix_socket;
  // Connections go to this proxy instead. Not beside `unix_socket`.
  std::optional<ProxySpec> proxy;
  // Addresses or blocks ("10.0.0.5", "10.0.0.0/28") that connections leave from, in turn. Empty:
  // the system's choice, but 127.0.0.0/8 in turn for more connections to a target on it than one
  // address has ports for.
  std::vector<std::string> local_addresses;

  // Size asked of the kernel for each socket's send and receive buffer, bytes; 0: its own choice.
  uint32_t socket_buffer_bytes = 0;

  uint32_t connections = 10;  // total, 1 … 1,000,000
  uint32_t pipelining = 1;    // requests in flight per connection, 1 … 10,000
  uint32_t workers = 1;       // threads, 1 … 1,024; never more than connections are used

  // Limits; the first one reached ends the run. At least one of duration and the two amounts.
  std::optional<int64_t> duration_ns;               // from the start of the run, > 0
  std::optional<uint64_t> amount;                   // requests in total, > 0
  std::optional<uint64_t> max_connection_requests;  // requests per connection slot, > 0
  std::optional<uint64_t> bailout;                  // failures in total, > 0

  // Unset: a closed loop. Set: an open loop on `connections` connections; the run ends when the
  // schedule does, or a limit is reached before, and the requests in flight have been answered or
  // have timed out.
  std::optional<RateSpec> rate;
  // A closed loop on a changing number of connections; empty: on all of them. `connections` is
  // then the largest number. Not beside `rate`.
  std::vector<ConnectionStage> connection_stages;
  // Finds the warm-up by MSER-5 when the run is over and keeps it apart (RunResult::warmup).
  bool find_warmup = false;

  // An idempotent request that an idle close took is sent once more, as a browser does; false: it
  // has failed.
  bool retry_closed = true;
  // Closed loop: the latency of a request that a connection was made for runs from when that was
  // begun, as its user sees it; false: from sending.
  bool connect_counts = false;
  // Close and reopen a connection after this many requests on it; 0: never.
  uint64_t reconnect_after = 0;

  // From the first byte sent to the last byte received; also for each of looking up a name,
  // connecting (shared by the addresses to be tried) and the TLS handshake. 1 ns … 100 years.
  int64_t timeout_ns = 10'000'000'000;

  // Width of the windows whose counts give requests/s and bytes/s their spread. 1 ms … 1 h.
  int64_t sample_interval_ns = 1'000'000'000;

  TlsSpec tls;

  // Each "[<id>]" in target, header values and body becomes an id, one per request and unique over
  // all workers: 22 URL-safe characters, '-', 10 digits that count up.
  bool ids = false;
  // {{uuid}} {{counter}} {{random A B}} {{timestamp}} {{csv.COLUMN}} in target, header values and
  // body are filled in for each request; an unknown placeholder is an error at the start.
  bool templates = false;
  std::optional<DataSpec> data;  // of {{csv.…}}
  uint64_t template_seed = 1;    // of {{random}} and DataMode::kShuffle
  // Requests or listeners of the user's own; excludes sequence, ids and templates when it wants
  // to make the requests. Null: none.
  MakeSource make_source;

  // Body that each response must have; a different one is counted as a mismatch.
  std::optional<std::string> expect_body;
  // Leave responses that are not 2xx out of latency and bytes.
  bool exclude_error_stats = false;
  // Give Observer::on_exchange the bytes of the first exchange.
  bool capture_exchange = false;
};

}  // namespace carronade
