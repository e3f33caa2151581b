// What an ab command line asks for, in ab's own terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carronade::dialects::ab {

struct AbOptions {
  uint64_t requests = 1;
  uint32_t concurrency = 1;
  uint32_t workers = 1;                 // of httpd trunk
  std::optional<int64_t> time_limit_s;  // > 0
  int64_t timeout_s = 30;
  uint32_t socket_buffer_bytes = 0;  // 0: the system's choice
  std::vector<std::string> local_addresses;

  std::string method;  // "" for GET
  std::optional<std::string> body;
  std::string content_type = "text/plain";
  std::vector<std::string> cookies;        // "name=value"
  std::vector<std::string> authorization;  // whole lines of -A and -P
  std::vector<std::string> headers;        // whole lines of -H
  std::string proxy;                       // host[:port]; "" for none
  bool keep_alive = false;

  bool go_on_after_errors = false;  // -r
  bool variable_length = false;     // -l

  uint16_t tls_version = 0;  // 0: any
  std::string ciphers;
  std::string certificate_file;
  bool server_name_indication = true;

  int verbosity = 0;
  bool percentiles = true;
  bool confidence = true;
  bool progress = true;
  bool banner = true;
  bool html = false;
  std::string table_attributes;
  std::string row_attributes;
  std::string cell_attributes = "bgcolor=white";
  std::string gnuplot_file;
  std::string csv_file;

  bool version = false;
  bool help = false;
  bool quirks = false;  // ab's own way where carronade mends it
};

}  // namespace carronade::dialects::ab
