// A validated RunSpec made ready: requests serialised, certificates read, names resolved, and
// the totals cut into one part per worker.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/run_result.h"
#include "carronade/run_spec.h"
#include "load/load_plan.h"
#include "load/source_plan.h"

namespace carronade::run {

struct Plan {
  RunSpec spec;
  std::unique_ptr<net::TlsClientContext> tls;  // null when no target wants TLS
  std::vector<net::Address> sources;  // of spec.local_addresses, or of 127.0.0.0/8 when needed
  std::unique_ptr<load::SourcePlan> sources_of_requests;  // null: none is needed
  load::LoadPlan load;
  std::vector<load::WorkerPlan> workers;   // filled by split()
  std::vector<std::string> addresses;      // of all targets, as the report lists them
  bool resolved = false;                   // by resolve_targets()
  std::vector<std::string> resolve_error;  // per target; "" when it has addresses
  std::vector<ErrorCount> setup_errors;    // one per name that did not resolve
};

// Checks and serialises; asks no resolver and opens no socket.
Expected<std::unique_ptr<Plan>> make_plan(RunSpec spec);

// The most connections that the run may have open at once.
uint32_t most_connections(const RunSpec& spec);
// The most sockets at once. A WebSocket that is closed after some requests waits for the answer to
// its close frame beside its successor.
uint64_t most_sockets(const RunSpec& spec);

// Finds the addresses of every target, each name once. A name that cannot be resolved leaves
// its target without addresses and is an entry of setup_errors. Ends soon after `cancel`.
void resolve_targets(Plan& plan, const std::atomic<bool>& cancel);

// How many parts: min(workers, connections).
uint32_t parts_of(const RunSpec& spec);
// Cuts connections and amount over them. Some target has addresses; with `any_target` a
// connection may go to each of them, whatever its number.
void split(Plan& plan, bool any_target = false);

}  // namespace carronade::run
