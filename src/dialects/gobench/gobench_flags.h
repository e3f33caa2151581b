// gobench's options as one table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/flag_table.h"

namespace carronade::dialects::gobench {

struct GobenchOptions {
  std::string url;
  std::string urls_file;  // a URL a line
  int64_t clients = 100;
  std::optional<int64_t> requests;  // per client
  std::optional<int64_t> period_s;
  bool keep_alive = true;
  std::string body_file;
  int64_t write_timeout_ms = 5000;  // ≤ 0: none
  int64_t read_timeout_ms = 5000;   // ≤ 0: none
  std::string authorization;
  bool quirks = false;
  bool help = false;
};

// The rows write into `options`, which must outlive the table.
cli::FlagTable gobench_flags(GobenchOptions& options);

// What `-help` prints.
std::string gobench_usage();

}  // namespace carronade::dialects::gobench
