// The options of `carronade` and of the strict `carronade autocannon`, as the command line gave
// them: nothing is checked here beyond the form of numbers. carronade_spec.h makes a run of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carronade/run_spec.h"
#include "cli/flag_table.h"

namespace carronade::dialects {

// How much load there is to be, as one of --rate, --ramp … --stages-connections said.
struct LoadOption {
  std::string flag;                                // "--ramp"
  std::string text;                                // as written
  double rate = 0;                                 // per second: --rate and --connectionRate
  std::vector<RateStage> stages;                   // of the other rates
  std::vector<ConnectionStage> connection_stages;  // --stages-connections
};

struct Options {
  // Numbers keep their sign, so that a negative one is refused in words of its own.
  std::optional<int64_t> connections;
  std::optional<int64_t> pipelining;
  std::optional<int64_t> workers;
  std::optional<int64_t> amount;
  std::optional<int64_t> bailout;
  std::optional<int64_t> max_connection_requests;
  std::optional<int64_t> max_overall_requests;
  std::optional<int64_t> reconnect_rate;
  std::optional<int64_t> duration_ns;
  std::optional<int64_t> timeout_ns;
  std::optional<int64_t> sample_interval_ns;
  std::vector<std::string> warmup;  // the words of the group; empty: no warm-up
  bool find_warmup = false;         // --warmup auto
  bool forever = false;
  bool on_port = false;  // start the words after `--`
  std::optional<int64_t> on_port_timeout_ns;

  std::vector<LoadOption> loads;  // each flag at most once
  std::optional<Arrivals> arrivals;
  uint32_t burst = 1;  // of Arrivals::kBurst
  std::optional<int64_t> seed;
  std::optional<int64_t> max_connections;
  std::optional<int64_t> max_backlog;
  std::optional<Overflow> overflow;
  std::optional<PaceMode> pace;
  bool ignore_coordinated_omission = false;
  bool uncorrected = false;

  std::optional<std::string> method;
  std::optional<std::string> body;
  std::string input;                    // file of the body; "-" is standard input
  std::string form;                     // JSON, or a file with it; "" for none
  std::string har_file;                 // "" for none; "-" is standard input
  std::optional<std::string> har_text;  // what was read from there
  std::vector<std::string> headers;     // "name=value" or "name:value"
  std::optional<std::string> expect_body;
  bool ids = false;
  bool templates = false;
  std::string data_file;  // of {{csv.…}}; "" for none
  std::optional<DataMode> data_mode;
  bool binary = false;  // the message of a WebSocket
  std::string socket_path;
  std::optional<std::string> proxy;
  std::vector<std::string> local_addresses;

  std::optional<std::string> servername;
  std::optional<bool> verify;
  std::string certificate_file;
  std::string key_file;
  std::string pfx_file;
  std::string passphrase;
  std::vector<std::string> ca_files;
  bool resume = true;

  std::string title;
  bool quiet = false;  // -n
  bool progress = true;
  bool latency_table = false;
  bool status_codes = false;
  bool exclude_error_stats = false;
  bool json = false;
  bool verbose = true;
  bool debug = false;
  bool strict_verdict = false;  // --strict
  std::string hdr_file;         // "" for none
  std::string hgrm_file;        // "" for none

  bool dry_run = false;
  bool version = false;
  bool help = false;
  bool print_man = false;
  bool print_compat = false;
};

// The rows, whose setters fill `options`; it must outlive the table.
cli::FlagTable carronade_flags(Options& options);

}  // namespace carronade::dialects
