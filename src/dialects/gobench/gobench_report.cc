#include "dialects/gobench/gobench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace carronade::dialects::gobench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

bool is_failed_connect(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kResolveFailed:
    case ErrorKind::kConnectRefused:
    case ErrorKind::kConnectFailed:
    case ErrorKind::kConnectTimeout:
    case ErrorKind::kOutOfDescriptors:
    case ErrorKind::kOutOfPorts:
    case ErrorKind::kOutOfMemory:
    case ErrorKind::kTlsHandshake:
    case ErrorKind::kTlsCertificate:
      return true;
    default:
      return false;
  }
}

uint64_t network_failures(const RunResult& result) {
  uint64_t count = result.failed + result.timed_out;
  for (const ErrorCount& error : result.errors) {
    if (error.requests == 0 && is_failed_connect(error.kind)) count += error.count;
  }
  return count;
}

uint64_t per_second(uint64_t amount, int64_t elapsed_ns) {
  if (elapsed_ns <= 0) return 0;
  const double seconds = static_cast<double>(elapsed_ns) / static_cast<double>(kSecondNs);
  return static_cast<uint64_t>(static_cast<double>(amount) / seconds);
}

std::string line(std::string_view label, uint64_t figure, std::string_view unit) {
  return fmt::format("{:<32}{:>10} {}\n", label, figure, unit);
}

}  // namespace

std::string gobench_report(const RunResult& result, bool quirks) {
  const uint64_t success = quirks ? result.by_status[200] : result.status_class(2);
  const uint64_t failed = network_failures(result);
  int64_t elapsed_ns = result.elapsed_ns;
  if (quirks) elapsed_ns = std::max<int64_t>(elapsed_ns / kSecondNs, 1) * kSecondNs;
  return "\n" + line("Requests:", result.answered + failed, "hits") +
         line("Successful requests:", success, "hits") + line("Network failed:", failed, "hits") +
         line("Bad requests failed (!2xx):", result.answered - success, "hits") +
         line("Successful requests rate:", per_second(success, elapsed_ns), "hits/sec") +
         line("Read throughput:", per_second(result.bytes_received, elapsed_ns), "bytes/sec") +
         line("Write throughput:", per_second(result.bytes_sent, elapsed_ns), "bytes/sec") +
         line("Test time:", static_cast<uint64_t>(elapsed_ns / kSecondNs), "sec");
}

std::vector<std::string> gobench_error_lines(const RunResult& result) {
  constexpr size_t kMostLines = 10;
  std::vector<std::string> lines;
  for (const ErrorCount& error : result.errors) {
    if (lines.size() == kMostLines) {
      lines.push_back(fmt::format("and {} more kinds of error", result.errors.size() - kMostLines));
      break;
    }
    lines.push_back(error.count == 1 ? error.text + " (once)"
                                     : fmt::format("{} ({} times)", error.text, error.count));
  }
  return lines;
}

std::string gobench_retry_line(const RunResult& result) {
  if (result.retried == 0) return "";
  return fmt::format("{} {} sent again, for the server had closed the idle connection",
                     result.retried, result.retried == 1 ? "request was" : "requests were");
}

}  // namespace carronade::dialects::gobench
