// What `vegeta attack` was asked for, and its flags.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "carronade/request.h"
#include "cli/flag_table.h"

namespace carronade::dialects::vegeta {

struct AttackOptions {
  static constexpr uint64_t kNoLimit = UINT64_MAX;
  static constexpr int64_t kWholeBody = -1;
  static constexpr int64_t kFollowNone = -1;

  std::string name;
  std::string targets_file = "stdin";
  std::string format = "http";
  std::string output_file = "stdout";
  std::string body_file;  // "": none
  std::string certificate_file;
  std::string key_file;
  std::vector<std::string> root_certificates;
  bool http2 = true;
  bool h2c = false;
  bool insecure = false;
  bool lazy = false;
  bool chunked = false;
  bool keep_alive = true;
  bool session_tickets = false;
  int64_t duration_ns = 0;              // ≤ 0: until it is stopped
  int64_t timeout_ns = 30'000'000'000;  // ≤ 0: none
  int64_t rate_count = 50;              // requests per rate_per_ns; 0: as fast as possible
  int64_t rate_per_ns = 1'000'000'000;
  uint64_t workers = 10;
  uint64_t max_workers = kNoLimit;
  int64_t idle_connections = 10'000;  // of each host
  int64_t max_connections = 0;        // of each host; ≤ 0: no limit
  int64_t redirects = 10;
  int64_t max_body = kWholeBody;  // bytes of each answer that go into its result
  std::vector<Header> headers;
  std::vector<Header> proxy_headers;
  std::string local_address;  // "": the system's choice
  std::vector<std::string> resolvers;
  std::string unix_socket;
  std::string prometheus_address;
  int64_t dns_ttl_ns = 0;  // 0: for ever
  // "host:port" of targets, and where to connect for it instead.
  std::vector<std::pair<std::string, std::string>> connect_to;
  bool quirks = false;
  bool help = false;
};

// The setters keep a reference to the options.
cli::FlagTable attack_flags(AttackOptions& options);

}  // namespace carronade::dialects::vegeta
