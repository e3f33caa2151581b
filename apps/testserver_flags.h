// The options of `testserver-loadtest`, and what they and loadtest's configuration file make of the
// bundled server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "cli/flag_table.h"
#include "dialects/loadtest/loadtest_config.h"
#include "server/server_spec.h"

namespace carronade::apps {

// nullopt: not given.
struct TestserverOptions {
  // As they were written, until read_testserver_numbers().
  std::optional<std::string> port_text;
  std::optional<std::string> delay_text;
  std::optional<std::string> error_text;
  std::optional<std::string> percent_text;
  std::optional<std::string> cores_text;
  std::vector<std::string> operands;  // one: the port

  std::optional<double> port;
  std::optional<double> delay_ms;
  std::optional<double> error;  // a status; 0: none
  std::optional<double> percent;
  std::optional<double> cores;
  std::optional<std::string> body;
  std::optional<std::string> file;
  bool help = false;
};

// The rows write into `options`, which must outlive the table.
cli::FlagTable testserver_flags(TestserverOptions& options);
// What `--help` prints.
std::string testserver_help();

// The error is "Invalid port" and the like, or says that there are too many operands.
Expected<void> read_testserver_numbers(TestserverOptions& options);

// What is not in the options is taken from `config`. Half of the `cpus` are used. Reads the file
// that is to be served.
Expected<server::ServerSpec> make_testserver_spec(const TestserverOptions& options,
                                                  const dialects::loadtest::LoadtestConfig& config,
                                                  unsigned cpus);

}  // namespace carronade::apps
