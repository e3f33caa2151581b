// Everything that siege can be told, by its configuration file and its command line. Passive; the
// initialisers are what siege falls back on for a key that its file does not have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carronade::dialects::siege {

// The version of siege whose reports and headers are spoken.
inline constexpr const char* kSiegeVersion = "4.1.7";

struct Login {
  std::string user;
  std::string password;
  std::string realm;  // "": any
};

struct SiegeSettings {
  // What is shown.
  bool verbose = false;  // a line for each hit
  bool colour = true;
  bool quiet = false;  // no banner, no lines, no text report
  bool json = false;   // JSON report on standard output; quiet beside it
  bool debug = false;
  bool csv = false;
  bool timestamp = false;
  bool full_url = false;
  bool display_id = false;
  bool old_report = false;  // the text report of siege up to 4.1.6
  // The log file.
  bool logging = false;
  bool show_logfile = true;
  std::string logfile = "/var/log/siege.log";
  std::string mark;
  // One request, shown.
  bool get = false;    // the heads
  bool print = false;  // the page
  std::string get_method = "HEAD";

  // The load.
  int64_t concurrent = 0;  // ≤ 0: 1
  int64_t limit = 255;     // most users
  std::optional<int64_t> time_ns;
  std::optional<int64_t> reps;  // of each user
  bool once = false;            // each user once through the list
  double delay_s = 0;           // longest pause behind a page
  bool internet = false;        // URLs at random
  bool benchmark = false;       // no pauses
  int64_t failures = 1024;      // that end the run; 0: none do
  int64_t attempts = 5;         // of one URL that wants authorization
  double timeout_s = 30;
  uint64_t seed = 1;

  // Where to.
  std::string file = "/etc/siege/urls.txt";
  std::string url;
  std::vector<std::string> login_urls;
  std::vector<std::string> auth_urls;
  bool url_escaping = true;

  // The requests.
  std::string protocol = "HTTP/1.0";
  bool keep_alive = false;
  bool chunked = false;  // kept for -C; answers may always be chunked
  bool unique = true;    // of FTP: kept for -C
  std::string accept_encoding = "*";
  std::string user_agent;  // "": siege's own
  std::string content_type = "application/x-www-form-urlencoded";
  std::vector<std::string> headers;  // "Name: value"

  // The answers.
  bool parser = false;                       // requests what a page shows
  std::vector<std::string> no_follow_hosts;  // parts of names whose resources stay away
  bool follow = true;                        // redirects
  bool cookies = true;
  bool expire_session = false;  // no cookies survive a pass through the list
  bool cache = false;           // conditional requests
  bool zero_data_ok = true;

  // Who we are.
  std::vector<Login> logins;
  std::vector<Login> proxy_logins;
  std::string ssl_cert;
  std::string ssl_key;
  std::string ssl_ciphers;
  std::string proxy_host;
  int64_t proxy_port = 3128;

  std::string config_file;  // that was read; "": the built-in template
  bool quirks = false;
};

// What siege gives as its User-Agent.
std::string user_agent_of(const SiegeSettings& settings);

// "user:password[:realm]"; without a colon the password is "".
Login parse_login(std::string_view text);

}  // namespace carronade::dialects::siege
