// A RunResult as text that other programs read: autocannon's keys, and HdrHistogram's encoding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/run_result.h"

namespace carronade {

// What was asked for, as far as the document repeats it.
struct DocumentFacts {
  std::vector<std::string> urls;
  std::string socket_path;  // "" for none
  std::string title;        // "" for none
  uint32_t connections = 10;
  uint32_t pipelining = 1;
  uint32_t workers = 0;       // as asked; 0: not asked
  uint64_t resets = 0;        // of lists of requests, by a script
  bool service_time = false;  // latency is the service time (ignoreCoordinatedOmission)
};

// One line of JSON without a newline: the keys of autocannon 9's result in its order, then the
// object `carronade`. Times in ms, to the ns.
std::string result_document(const RunResult& result, const DocumentFacts& facts);

// HdrHistogram V2, deflated, base64 ("HISTFAAA…"): what autocannon's skipAggregateResult gives.
std::string hdr_base64(const Histogram& histogram);

}  // namespace carronade
