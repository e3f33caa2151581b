// One request's outcome, as vegeta's streams carry it from `attack` to `report`, `encode`, `plot`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/request.h"

namespace carronade::dialects::vegeta {

struct Result {
  std::string attack;             // -name of the attack; may be empty
  uint64_t seq = 0;               // counts up from 0 over the attack
  uint16_t code = 0;              // status; 0: no answer
  int64_t timestamp_unix_ns = 0;  // when the request was due
  int16_t zone_minutes = -1;      // of the timestamp, east of UTC; -1: UTC
  int64_t latency_ns = 0;
  uint64_t bytes_out = 0;  // of the request's body
  uint64_t bytes_in = 0;   // of the response's body
  std::string error;       // "" when there was none
  std::string body;        // of the response
  bool has_body = false;   // false: Go's nil, JSON's null
  std::string method;
  std::string url;
  std::vector<Header> headers;  // of the response; a repeated name is several entries
  bool has_headers = false;     // false: Go's nil map, JSON's null
};

}  // namespace carronade::dialects::vegeta
