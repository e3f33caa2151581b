// The options of `carronade serve`: one table of flags, and what they mean together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "carronade/expected.h"
#include "cli/flag_table.h"
#include "server/server_spec.h"

namespace carronade::apps {

struct ServeOptions {
  server::ServerSpec spec;
  // Here and not in `spec`: whether they were given at all decides what fits together.
  std::optional<std::string> host;
  std::optional<uint16_t> port;
  std::optional<int> threads;
  std::optional<int> error_status;
  std::optional<double> error_percent;
  std::optional<uint64_t> close_after;
  std::optional<uint64_t> seed;
  std::optional<int> queue;
  std::optional<uint32_t> record_arrivals;
  bool log_headers = false;
  bool help = false;
};

// The rows write into `options`, which must outlive the table.
cli::FlagTable serve_flags(ServeOptions& options);

// After parsing: completes options.spec. The error says what would have no effect.
Expected<void> complete_spec(ServeOptions& options);

}  // namespace carronade::apps
