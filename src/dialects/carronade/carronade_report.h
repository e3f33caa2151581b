// The report of `carronade` and of the strict `carronade autocannon`: facts in, text out.
// Nothing here prints; the caller knows the streams.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::dialects {

// What the command line asked for, as far as the report shows it.
struct ReportFacts {
  bool strict = false;  // the autocannon form: its exact text and units
  std::vector<std::string> urls;
  std::string socket_path;  // "" for none
  std::string title;        // "" for none
  uint32_t connections = 10;
  uint32_t pipelining = 1;
  uint32_t workers = 0;  // as asked; 0: not asked
  double duration_s = 10;
  std::optional<uint64_t> amount;
  std::string load;                   // "200/s", "--ramp 10..500/30s"; "" for a closed loop
  std::string arrivals;               // "even", "poisson, seed 1"; "" for a closed loop
  bool random_arrivals = false;       // their number follows from the seed
  uint32_t max_connections = 0;       // opened on demand; 0: none
  bool changing_connections = false;  // --stages-connections: `connections` is the most
  bool websocket = false;             // ws:// or wss://: round trips instead of requests
  uint64_t resets = 0;                // of lists of requests, by a script
  bool service_time = false;          // -C: latency is the service time
  bool uncorrected = false;           // -U: percentiles of both
  bool latency_table = false;         // -l
  bool status_codes = false;          // --renderStatusCodes
  bool verbose = true;                // -V=0: only the last lines
  bool colour = false;
};

// What is called latency in this report: response times, or service times with -C.
const Histogram& main_latency(const RunResult& result, const ReportFacts& facts);

// What was sent again and again: "request", or "round trip" on WebSockets.
inline std::string_view unit_of(bool websocket) { return websocket ? "round trip" : "request"; }

// "expecting 2,000 requests in 10 s: 200/s, even", without a newline. `duration_ns` unset: until
// an amount is reached.
std::string expecting_line(double requests, std::optional<int64_t> duration_ns,
                           const ReportFacts& facts);

// "Running 10s test @ http://…" and the lines below it, with the empty line at the end.
std::string run_header(const ReportFacts& facts, bool warmup);
// Tables, status codes, errors, closing lines; ends with a newline.
std::string text_report(const RunResult& result, const ReportFacts& facts);
// One line of JSON without a newline: autocannon's keys in its order, then (not in the strict
// form) the object `carronade`. `warmup`, when not null, becomes the key of that name.
std::string json_report(const RunResult& result, const ReportFacts& facts, const RunResult* warmup);

}  // namespace carronade::dialects
