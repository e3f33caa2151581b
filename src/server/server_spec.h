// Every option of the bundled test server, and the grammars that are its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "server/service_law.h"

namespace carronade::server {

// All answers wait while a stall lasts: from k·period to k·period + duration after the start,
// for k = 1, 2, 3 …
struct StallSpec {
  int64_t duration_ns = 0;  // 0: never stalls
  int64_t period_ns = 0;    // > duration when there is a stall
};

// One page at every path: no path orders anything, and there is no /stats.
struct FixedPage {
  std::string body;        // of answers with status 200
  std::string error_body;  // of all others
};

struct ServerSpec {
  // Where it listens. Name or IP literal; of a name's addresses the first one is used.
  std::string host = "127.0.0.1";
  uint16_t port = 7357;   // 0: any free port, see Server::port()
  std::string unix_path;  // when not empty: this Unix socket instead of host and port

  bool tls = false;
  std::string certificate_file;  // PEM chain; "": a self-signed certificate made at the start
  std::string key_file;          // PEM; "": looked for in certificate_file

  int threads = 1;  // 1 … 256; each has a listening socket of its own (a Unix socket is shared)

  // What every answer is like, unless the path says otherwise (routes.h).
  int64_t delay_ns = 0;           // from the complete request to its answer
  int error_status = 0;           // 200 … 599: this share of the answers has it; 0: none
  double error_percent = 100;     // 0 … 100, of the requests whose path does not set the status;
                                  // exact in every 100 requests of a thread (behaviour.h)
  int64_t body_bytes = -1;        // ≥ 0: that many bytes; -1: a short text
  std::optional<FixedPage> page;  // instead of body_bytes and chunked, without a Content-Type
  bool chunked = false;           // Transfer-Encoding: chunked
  uint64_t close_after = 0;       // requests per connection, then it is closed; 0: no limit
  StallSpec stall;
  uint64_t seed = 1;  // of all that is drawn

  // Poll for requests and due times instead of sleeping: no wake-up makes an answer late or an
  // arrival look later than it was. Takes a core for each thread.
  bool spin = false;

  // Known laws (service_station.h).
  std::optional<ServiceLaw> service;  // in the place of delay_ns
  int queue = 0;                      // servers behind one queue; 0: each request has its own
  double capacity = 0;                // departures per second at most; 0: no limit
  uint32_t record_arrivals = 0;       // of how many requests /stats/arrivals gives the time

  // Called with each request's line and header block as received, by one thread at a time.
  // Null: nothing is logged.
  std::function<void(std::string_view head)> log_headers;
};

// "1s every 5s": two durations with units. The error quotes the text.
Expected<StallSpec> parse_stall(std::string_view text);

// "2000/s", "30/m", "1/10s": above 0 and up to 1,000,000 per second. The error quotes the text.
Expected<double> parse_capacity(std::string_view text);

// Whether the fields are in their ranges and fit together; the error names the field.
Expected<void> check_spec(const ServerSpec& spec);

}  // namespace carronade::server
