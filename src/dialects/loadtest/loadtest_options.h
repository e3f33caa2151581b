// What loadtest's command line gave, before the configuration file and the defaults come in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carronade::dialects::loadtest {

struct LoadtestOptions {
  std::vector<std::string> urls;  // words that are no options

  std::optional<uint64_t> max_requests;       // > 0
  std::optional<double> max_seconds;          // > 0
  std::optional<uint64_t> concurrency;        // for each core, > 0
  std::optional<uint64_t> cores;              // > 0
  std::optional<double> timeout_ms;           // ≥ 0; 0: none
  std::optional<double> requests_per_second;  // ≥ 0; 0: none

  std::optional<std::string> method;
  std::optional<std::string> content_type;
  std::optional<std::string> data;
  std::optional<std::string> post_body;
  std::optional<std::string> post_file;
  std::optional<std::string> put_file;
  std::optional<std::string> patch_body;
  std::optional<std::string> patch_file;
  std::vector<std::string> headers;  // "name:value"
  std::vector<std::string> cookies;  // "name=value"
  std::optional<std::string> index_pattern;
  std::optional<std::string> request_generator;

  std::optional<std::string> proxy;
  std::optional<std::string> secure_protocol;
  std::optional<std::string> certificate_file;
  std::optional<std::string> key_file;
  // False says more than nothing: it holds against the configuration file.
  std::optional<bool> insecure;
  std::optional<bool> keep_alive;
  bool tcp = false;
  bool quiet = false;

  bool version = false;
  bool help = false;
};

}  // namespace carronade::dialects::loadtest
