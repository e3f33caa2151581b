// The options of an attack as the spec of a run.
#pragma once

#include <cstdint>

#include "carronade/expected.h"
#include "carronade/run_spec.h"
#include "dialects/vegeta/vegeta_attack_hosts.h"
#include "dialects/vegeta/vegeta_attack_options.h"

namespace carronade::dialects::vegeta {

// What is refused before anything is read: the error is one line.
Expected<void> check_options(const AttackOptions& options);

// Files of certificates are looked at; errors in Go's words. `cpus` ≤ 0: as many as there are.
// RunSpec::make_source is left to the caller. A closed loop has the timeout more than the
// duration: its source ends it.
Expected<RunSpec> attack_spec(const AttackOptions& options, const AttackHosts& hosts, int64_t cpus);

// Most connections that the spec lets the run have.
uint32_t most_connections(const RunSpec& spec);

}  // namespace carronade::dialects::vegeta
