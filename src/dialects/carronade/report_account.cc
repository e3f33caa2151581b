#include "dialects/carronade/report_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "dialects/carronade/websocket_lines.h"
#include "report/table.h"

namespace carronade::dialects {
namespace {

using base::format_thousands;

// Longer lists are in the JSON; a person reads no more.
constexpr size_t kErrorLines = 20;

std::string_view stop_text(StoppedBy why) {
  switch (why) {
    case StoppedBy::kDuration:
      return "its duration";
    case StoppedBy::kAmount:
      return "its amount";
    case StoppedBy::kConnectionRequests:
      return "the requests per connection";
    case StoppedBy::kBailout:
      return "the bail-out";
    case StoppedBy::kUser:
      return "the user";
    case StoppedBy::kUnreachable:
      return "a server that could not be reached";
    case StoppedBy::kData:
      return "the end of its data";
    case StoppedBy::kUnresolved:
      return "a name that could not be resolved";
  }
  return "";
}

// The three most frequent codes that are not 2xx: "503 (22), 404 (10)".
std::string frequent_codes(const RunResult& result) {
  std::vector<std::pair<uint64_t, size_t>> codes;
  for (size_t code = 0; code < result.by_status.size(); ++code) {
    if (result.by_status[code] > 0 && code / 100 != 2) {
      codes.emplace_back(result.by_status[code], code);
    }
  }
  std::sort(codes.begin(), codes.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(codes.size(), 3); ++i) {
    out += fmt::format("{}{} ({})", i > 0 ? ", " : "", codes[i].second,
                       format_thousands(codes[i].first));
  }
  return codes.size() > 3 ? out + ", …" : out;
}

std::string sent_line(const RunResult& result) {
  std::string line = fmt::format("{} {}{} sent, {} answered", format_thousands(result.sent),
                                 result.websocket ? "message" : "request",
                                 result.sent == 1 ? "" : "s", format_thousands(result.answered));
  const auto term = [&line](uint64_t count, std::string_view what) {
    if (count > 0) line += fmt::format(", {} {}", format_thousands(count), what);
  };
  term(result.failed, "failed");
  term(result.timed_out, "timed out");
  term(result.in_flight, "in flight at the end");
  std::string beside;
  const auto note = [&beside](uint64_t count, std::string_view what) {
    if (count == 0) return;
    beside += fmt::format("{}{} {}", beside.empty() ? "" : ", ", format_thousands(count), what);
  };
  note(result.retried, "retried after a close");
  if (!result.open_loop()) note(result.dropped, "never sent");  // its line says more
  note(result.mismatched, "with mismatched body");
  if (!beside.empty()) line += fmt::format(" ({})", beside);
  return line + "\n";
}

std::string status_line(const RunResult& result) {
  if (result.websocket) return "";
  std::string line;
  uint64_t named = 0;
  const auto term = [&line](uint64_t count, std::string_view what) {
    if (count == 0) return;
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", format_thousands(count), what);
  };
  for (int hundreds = 1; hundreds <= 5; ++hundreds) {
    const uint64_t count = result.status_class(hundreds);
    named += count;
    term(count, fmt::format("{}xx", hundreds));
  }
  if (result.answered > named) term(result.answered - named, "other");
  if (line.empty()) return "";
  return line + (result.answered == 1 ? " response\n" : " responses\n");
}

std::string error_section(const std::vector<const ErrorCount*>& errors, std::string_view heading) {
  if (errors.empty()) return "";
  const size_t shown = std::min(errors.size(), kErrorLines);
  size_t count_width = 0;
  size_t kind_width = 0;
  size_t phase_width = 0;
  for (size_t i = 0; i < shown; ++i) {
    count_width = std::max(count_width, format_thousands(errors[i]->count).size());
    kind_width = std::max(kind_width, error_kind_name(errors[i]->kind).size());
    phase_width = std::max(phase_width, phase_name(errors[i]->phase).size());
  }
  std::string out{heading};
  for (size_t i = 0; i < shown; ++i) {
    std::string text = errors[i]->text;
    std::replace(text.begin(), text.end(), '\n', ' ');
    text = base::printable(text);
    out += fmt::format("  {:>{}}  {:<{}}  {:<{}}  {}\n", format_thousands(errors[i]->count),
                       count_width, error_kind_name(errors[i]->kind), kind_width,
                       phase_name(errors[i]->phase), phase_width, text);
  }
  if (shown < errors.size()) {
    out += fmt::format("  and {} more kinds and texts: see -j\n", errors.size() - shown);
  }
  return out;
}

}  // namespace

std::string warning_line(const RunResult& result, bool colour) {
  std::string text;
  if (result.answered == 0) {
    const bool opened = !result.websocket || result.websocket->handshakes_opened > 0;
    text = !opened            ? "warning: no WebSocket was opened"
           : result.websocket ? "warning: no message was answered"
                              : "warning: no request was answered";
  } else if (result.non_2xx() * 2 > result.answered) {
    text =
        fmt::format("warning: {} of {} answers are not 2xx: {}", format_thousands(result.non_2xx()),
                    format_thousands(result.answered), frequent_codes(result));
    if (result.latency.empty()) text += "; -x leaves all of them out of latency and bytes";
  } else if (result.mismatched * 2 > result.answered) {
    text = fmt::format("warning: {} of {} answers have not the expected body",
                       format_thousands(result.mismatched), format_thousands(result.answered));
  } else {
    return "";
  }
  return report::paint(text, report::Style::kAlarm, colour) + "\n";
}

std::string account_lines(const RunResult& result) {
  std::string out = sent_line(result) + status_line(result) + websocket_lines(result);
  const bool websocket = result.websocket.has_value();
  const uint64_t done = websocket ? result.answered : result.sent;
  out += fmt::format("{} {}{} in {}, {} read", format_thousands(done),
                     websocket ? "round trip" : "request", done == 1 ? "" : "s",
                     base::format_duration(static_cast<double>(result.elapsed_ns)),
                     base::format_bytes(static_cast<double>(result.bytes_received)));
  if (result.bytes_body > 0) {
    out += fmt::format(" ({} of {})", base::format_bytes(static_cast<double>(result.bytes_body)),
                       websocket ? "messages" : "bodies");
  }
  out += fmt::format(", stopped by {}\n", stop_text(result.stopped_by));
  if (result.connections_peak < result.connections_asked) {
    const std::string peak =
        result.connections_peak == 0
            ? "none was ever open"
            : fmt::format("at most {} open at once", format_thousands(result.connections_peak));
    out +=
        fmt::format("{} connection{} asked for, {}\n", format_thousands(result.connections_asked),
                    result.connections_asked == 1 ? "" : "s", peak);
  }
  return out;
}

std::string error_lines(const RunResult& result) {
  if (result.error_total() == 0) return "";
  std::vector<const ErrorCount*> server;
  std::vector<const ErrorCount*> own;
  for (const ErrorCount& error : result.errors) {
    (fault_side(error.kind) == FaultSide::kServer ? server : own).push_back(&error);
  }
  std::string out =
      fmt::format("\n{} error{} ({} timeout{})\n", format_thousands(result.error_total()),
                  result.error_total() == 1 ? "" : "s", format_thousands(result.timeout_total()),
                  result.timeout_total() == 1 ? "" : "s");
  out += error_section(server, own.empty() ? "" : "from the server or the way to it:\n");
  out += error_section(own, "faults of this machine, which say nothing about the server:\n");
  return out;
}

}  // namespace carronade::dialects
