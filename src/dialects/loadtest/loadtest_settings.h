// What a run of loadtest is to do: command line first, then the configuration file, then defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/proxy_spec.h"
#include "carronade/request.h"
#include "carronade/tls_spec.h"
#include "carronade/url.h"
#include "dialects/loadtest/loadtest_config.h"
#include "dialects/loadtest/loadtest_options.h"
#include "dialects/loadtest/loadtest_words.h"

namespace carronade::dialects::loadtest {

struct LoadtestSettings {
  std::string url_text;  // as given
  Url url;
  Request request;  // with a ws or wss URL: the handshake's headers, and the message as body

  std::optional<uint64_t> max_requests;
  std::optional<double> max_seconds;  // one of the two at least
  std::optional<double> requests_per_second;
  uint64_t concurrency = 10;  // for each core
  uint64_t cores = 1;
  int64_t timeout_ns = 0;
  bool keep_alive = false;
  bool tcp = false;
  bool quiet = false;
  std::optional<std::string> index_pattern;
  std::optional<ProxySpec> proxy;
  TlsSpec tls;
};

// When --cores does not say; `hardware_cores` ≥ 1: of this machine.
uint64_t default_cores(unsigned hardware_cores);

// What the original refuses before it reads anything: no URL or several, a URL of another scheme,
// a method it does not know.
LoadtestMisuse check_loadtest_words(const LoadtestOptions& options);

// Why this cannot be done without JavaScript: "-R generator.js"; "" when it can.
std::string javascript_reason(const LoadtestOptions& options, const LoadtestConfig& config);

// `hardware_cores` ≥ 1: of this machine. Reads a body's file. The error is one line.
Expected<LoadtestSettings> make_loadtest_settings(const LoadtestOptions& options,
                                                  const LoadtestConfig& config,
                                                  unsigned hardware_cores);

}  // namespace carronade::dialects::loadtest
