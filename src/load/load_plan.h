// What the workers are told: checked, resolved, serialised, and const while they run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carronade/rate_spec.h"
#include "load/wire_block.h"
#include "net/address.h"
#include "net/tls_context.h"
#include "pace/level_profile.h"
#include "pace/rate_profile.h"

namespace carronade::load {

// What is said on a new connection before its first request or message.
struct Openings {
  std::string connect_request;  // asks a proxy for a tunnel; "" for none
  std::string ws_request;       // the WebSocket handshake; "" for HTTP
  std::string ws_key;           // of it
};

struct PreparedTarget {
  std::string origin;                     // for messages
  std::vector<net::Address> addresses;    // empty: the name did not resolve, nothing is sent
  std::string resolve_error;              // why there are none
  std::span<const net::Address> sources;  // to leave from, in turn; empty: the system's choice
  WireBlock block;
  Openings openings;
  bool head = false;                           // answers have no body
  bool http10 = false;                         // the request is one of HTTP/1.0
  bool idempotent = false;                     // may be sent again after an idle close
  uint64_t requests_per_socket = 0;            // then it is closed and made anew; 0: no limit
  const net::TlsClientContext* tls = nullptr;  // null: plain
  std::string sni;                             // "" for none
  std::string verify_host;  // name or IP literal that a verified certificate must bear
};

// An open loop: when requests are due.
struct RatePlan {
  RateSpec spec;
  pace::RateProfile profile;
  std::vector<int64_t> stage_starts_ns;
  int64_t load_ns = 0;             // how long the schedule goes on
  std::optional<uint64_t> amount;  // of the whole run
  bool spare_cores = false;        // workers may poll without taking a core from others
};

struct LoadPlan {
  std::vector<PreparedTarget> targets;  // slot i of the run uses target i mod size
  uint32_t pipelining = 1;
  std::optional<uint64_t> max_connection_requests;
  std::optional<uint64_t> bailout;
  std::optional<int64_t> duration_ns;
  int64_t timeout_ns = 0;
  int64_t sample_interval_ns = 0;
  uint32_t socket_buffer_bytes = 0;
  bool retry_closed = true;
  bool connect_counts = false;
  bool through_proxy = false;  // the addresses are a proxy's
  bool exclude_error_stats = false;
  std::optional<std::string> expect_body;
  std::optional<RatePlan> rate;                         // unset: a closed loop
  std::optional<pace::LevelProfile> connection_levels;  // of a closed loop; unset: all of them
};

// One worker's part of it.
struct WorkerPlan {
  const LoadPlan* run = nullptr;  // outlives the worker
  uint32_t index = 0;             // of `parts` workers
  uint32_t parts = 1;
  uint32_t first_slot = 0;         // in the numbering of the whole run
  uint32_t connections = 0;        // slots
  uint32_t connections_later = 0;  // of them made on demand; the others at the start
  std::optional<uint64_t> amount;  // of a closed loop
  bool capture_exchange = false;   // of its first connection
};

}  // namespace carronade::load
