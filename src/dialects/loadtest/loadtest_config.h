// loadtest's configuration file, which `loadtest` and `testserver-loadtest` share: found as its
// library confinode finds it, read as far as no JavaScript is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/request.h"

namespace carronade::dialects::loadtest {

// What a file says; what it leaves out, or sets to "", 0 or null where that means nothing, has no
// value. Keys that are not known are ignored, as the original does.
struct LoadtestConfig {
  std::string file;  // where it was found; "": there is none
  // The file, or one it leads to, is a JavaScript module: nothing else here is set then.
  bool needs_javascript = false;

  // The test server.
  std::optional<double> delay_ms;
  std::optional<double> error;    // a status
  std::optional<double> percent;  // of the requests

  // The load, and `body` and `body_file` for both.
  std::optional<double> max_requests;
  std::optional<double> concurrency;
  std::optional<double> max_seconds;
  std::optional<double> requests_per_second;
  std::optional<double> timeout_ms;
  std::optional<std::string> method;
  std::optional<std::string> content_type;
  std::optional<std::string> body;       // text as it is, anything else as JSON
  std::optional<std::string> body_json;  // the same value as JSON: text is in quotes here
  std::optional<std::string> body_form;  // an object as application/x-www-form-urlencoded
  std::optional<std::string> body_file;  // key `file`
  std::vector<std::string> cookies;      // "name=value", in order
  std::vector<Header> headers;           // in order, names as written
  std::optional<std::string> secure_protocol;
  std::optional<std::string> certificate_file;
  std::optional<std::string> key_file;
  std::optional<std::string> request_generator;
  std::optional<std::string> proxy;
  std::optional<std::string> index_pattern;
  std::optional<bool> insecure;
  std::optional<bool> keep_alive;
};

// Looks in `folder`, then in each folder above it up to `home` (or to the root when `folder` is
// not below it): the entry `loadtest` of package.json, .loadtestrc, .loadtestrc.EXT,
// loadtest.config.EXT, .loadtest/loadtest.config.EXT; the first that is there holds. JSON and YAML
// are read, and other files that `extends` or a mere text leads to. The error is one line: a file
// that cannot be read, that is no JSON or YAML, whose format is not supported, or a value of the
// wrong kind, each with the file's name.
Expected<LoadtestConfig> find_loadtest_config(const std::string& folder, const std::string& home);

// The same from the working directory, up to $HOME.
Expected<LoadtestConfig> find_loadtest_config();

}  // namespace carronade::dialects::loadtest
