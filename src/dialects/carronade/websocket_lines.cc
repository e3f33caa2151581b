#include "dialects/carronade/websocket_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/units.h"

namespace carronade::dialects {
namespace {

using base::format_thousands;

using Counts = std::map<uint16_t, uint64_t>;

uint64_t sum_of(const Counts& counts) {
  uint64_t sum = 0;
  for (const auto& [code, count] : counts) sum += count;
  return sum;
}

// "1000: 9, 1001: 1"
std::string list_of(const Counts& counts) {
  std::string out;
  for (const auto& [code, count] : counts) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", code, format_thousands(count));
  }
  return out;
}

void add_term(std::string& line, uint64_t count, std::string_view what) {
  if (count > 0) line += fmt::format(", {} {}", format_thousands(count), what);
}

std::string handshake_line(const RunResult& result) {
  const WebSocketResult& found = *result.websocket;
  const uint64_t refused = sum_of(found.refused_by_status);
  uint64_t faults = 0;
  for (const ErrorCount& error : result.errors) {
    if (error.phase == Phase::kUpgrade) faults += error.count;
  }
  // Each refused one is an error too.
  const uint64_t failed = faults - std::min(faults, refused);
  const uint64_t ended = found.handshakes_opened + refused + failed;
  std::string line = fmt::format(
      "{} WebSocket handshake{}, {} opened", format_thousands(found.handshakes_tried),
      found.handshakes_tried == 1 ? "" : "s", format_thousands(found.handshakes_opened));
  add_term(line, refused, "refused (" + list_of(found.refused_by_status) + ")");
  add_term(line, failed, "failed otherwise");
  add_term(line, found.handshakes_tried - std::min(found.handshakes_tried, ended),
           "not ended when the run was");
  return line + "\n";
}

std::string traffic_line(const WebSocketResult& found) {
  std::string line;
  add_term(line, found.text_messages, "text");
  add_term(line, found.binary_messages, "binary");
  if (!line.empty()) line = "messages received: " + line.substr(2);
  if (found.unasked_messages > 0) {
    line += fmt::format(" ({} of them unasked)", format_thousands(found.unasked_messages));
  }
  const auto add = [&line](std::string_view what, const std::string& counts) {
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", what, counts);
  };
  if (found.pings > 0) add("pings answered", format_thousands(found.pings));
  if (found.pongs > 0) add("pongs", format_thousands(found.pongs));
  if (!found.closes_by_code.empty()) {
    add("close frames received", format_thousands(sum_of(found.closes_by_code)) + " (" +
                                     list_of(found.closes_by_code) + ")");
  }
  return line.empty() ? "" : line + "\n";
}

}  // namespace

std::string websocket_lines(const RunResult& result) {
  if (!result.websocket) return "";
  return handshake_line(result) + traffic_line(*result.websocket);
}

}  // namespace carronade::dialects
