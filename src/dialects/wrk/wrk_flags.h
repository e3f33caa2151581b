// The command lines of wrk and wrk2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "cli/flag_table.h"

namespace carronade::dialects::wrk {

struct WrkOptions {
  bool wrk2 = false;
  uint64_t connections = 10;
  uint64_t threads = 2;
  uint64_t duration_s = 10;
  uint64_t timeout_s = 2;
  std::string script{};
  std::vector<std::string> headers{};  // as given
  bool latency = false;
  bool service_time = false;  // -U
  bool batch_latency = false;
  std::optional<uint64_t> rate{};  // a second, in total
  bool version = false;
  bool usage = false;  // asked for
  bool quirks = false;
  std::vector<std::string> args{};  // the URL, then those for init()
};

// The setters fill `options`, which must outlive the table.
cli::FlagTable wrk_flags(WrkOptions& options);

// "" as the error: the usage says it all. Otherwise one line to be printed in front of it. Options
// that were read before it keep their effect.
Expected<void> read_command_line(WrkOptions& options, std::span<const std::string> args);

std::string wrk_usage(bool wrk2);

}  // namespace carronade::dialects::wrk
