// What the floors have in common: their arguments, and the line that a run ends with. Headers
// only, so that bench/compare can compile a floor from its one file.
//
//   FLOOR [OPTIONS] HOST PORT CONNECTIONS DEPTH SECONDS [PATH]
//
// HOST is an IPv4 address. Each connection keeps DEPTH requests in flight. The first answer is read
// before the clock starts and tells the size of one; all others are taken to be as long and are
// counted by their bytes. The floors share nothing with carronade's engine on purpose: what the
// engine costs beyond them is what it pays for parsing, counting and timing.
#pragma once

#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "floor_socket.h"

namespace floors {

struct Job {
  std::string host;
  std::uint64_t port = 0;
  std::uint64_t connections = 0;
  std::uint64_t depth = 0;
  std::uint64_t seconds = 0;
  std::string path = "/";
};

inline std::uint64_t number(std::string_view text, const char* name) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    fail(std::string(name) + " must be a whole number above 0, not \"" + std::string(text) + "\"");
  }
  return value;
}

// Calls `on_option(name, value)` for each option before HOST; `options` names them for the usage.
template <class OnOption>
Job parse_job(std::vector<std::string> args, const std::string& options, OnOption on_option) {
  while (args.size() >= 2 && args[0].starts_with("--")) {
    on_option(std::string_view(args[0]), std::string_view(args[1]));
    args.erase(args.begin(), args.begin() + 2);
  }
  if (args.size() < 5 || args.size() > 6) {
    fail("usage: " + options + " HOST PORT CONNECTIONS DEPTH SECONDS [PATH]");
  }
  Job job;
  job.host = args[0];
  job.port = number(args[1], "PORT");
  job.connections = number(args[2], "CONNECTIONS");
  job.depth = number(args[3], "DEPTH");
  job.seconds = number(args[4], "SECONDS");
  if (args.size() == 6) {
    job.path = args[5];
  }
  return job;
}

inline std::string request_of(const Job& job) {
  return "GET " + job.path + " HTTP/1.1\r\nHost: " + job.host + ":" + std::to_string(job.port) +
         "\r\n\r\n";
}

inline double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Lets `client.run(deadline)` go on for the job's time and prints what one of `client.answers()`
// cost, without ending the line. Returns the CPU seconds of the whole run.
template <class Client>
double measure(Client& client, const Job& job) {
  rusage before{};
  rusage after{};
  ::getrusage(RUSAGE_SELF, &before);
  const auto start = std::chrono::steady_clock::now();
  client.run(start + std::chrono::seconds(job.seconds));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ::getrusage(RUSAGE_SELF, &after);

  if (client.answers() == 0) {
    fail("no answer came within the time");
  }
  const double answers = static_cast<double>(client.answers());
  const double user = seconds_of(after.ru_utime) - seconds_of(before.ru_utime);
  const double system = seconds_of(after.ru_stime) - seconds_of(before.ru_stime);
  std::printf("%.0f answers in %.3f s, %.4f us user, %.4f us system per answer", answers,
              elapsed.count(), user / answers * 1e6, system / answers * 1e6);
  return user + system;
}

}  // namespace floors
