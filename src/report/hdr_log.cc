#include "report/hdr_log.h"

#include <fmt/format.h>

#include <ctime>
#include <optional>

#include "base/check.h"
#include "carronade/result_document.h"
#include "report/hdr_encoding.h"
#include "stats/histogram_codec.h"

namespace carronade::report {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

double seconds(int64_t ns) { return static_cast<double>(ns) / 1e9; }

// One line of the log while intervals are added to it. Times are from the start of the log.
struct Line {
  std::string tag;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  Histogram latency;
};

void put_line(std::string& out, const Line& line) {
  if (!line.tag.empty()) out += fmt::format("Tag={},", line.tag);
  out += fmt::format("{:.3f},{:.3f},{:.3f},{}\n", seconds(line.start_ns),
                     seconds(line.end_ns - line.start_ns),
                     static_cast<double>(line.latency.max()) / 1e6, hdr_base64(line.latency));
}

// A tag ends at a comma, and readers split lines at spaces.
std::string safe_tag(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool safe = c > ' ' && c < 0x7f && c != ',' && c != '"';
    if (safe || out.empty() || out.back() != '_') out += safe ? c : '_';
  }
  return out;
}

// Of the interval that begins at `start_ns` of the run.
std::string phase_tag(const RunResult& result, int64_t start_ns) {
  if (result.warmup && start_ns < result.warmup->width_ns) return "warmup";
  if (!result.rate || result.rate->stages.size() < 2) return "";
  // Answers that come in after the end of the last stage are still due to it.
  const std::vector<StageResult>& stages = result.rate->stages;
  size_t stage = 0;
  while (stage + 1 < stages.size() && stages[stage + 1].start_ns <= start_ns) ++stage;
  return safe_tag(fmt::format("{}:{}", stage + 1, stages[stage].name));
}

// `tag` for all lines, or by phase when it is "". `shift_ns`: from the log's start to the run's.
void put_run(std::string& out, const RunResult& result, const std::string& tag, int64_t shift_ns) {
  std::optional<Line> line;
  for (const Interval& interval : result.intervals) {
    const int64_t start_ns = interval.start_ns + shift_ns;
    std::string phase = tag.empty() ? phase_tag(result, interval.start_ns) : tag;
    if (line && (start_ns - line->start_ns >= kSecondNs || line->tag != phase)) {
      put_line(out, *line);
      line.reset();
    }
    if (!line) line = Line{std::move(phase), start_ns, start_ns, {}};
    line->end_ns = start_ns + interval.width_ns;
    CHECK(stats::decode_histogram(interval.latency, line->latency));
  }
  // The run ends some microseconds after its last second: no line for nothing.
  constexpr int64_t kMillisecondNs = 1'000'000;
  if (line && line->latency.empty() && line->end_ns - line->start_ns < kMillisecondNs) return;
  if (line) put_line(out, *line);
}

std::string utc_date(int64_t unix_ns) {
  const auto second = static_cast<std::time_t>(unix_ns / kSecondNs);
  std::tm fields{};
  gmtime_r(&second, &fields);
  char text[64];
  const size_t size = std::strftime(text, sizeof text, "%a %b %d %H:%M:%S UTC %Y", &fields);
  return std::string(text, size);
}

}  // namespace

std::string hdr_log_text(const RunResult& result, const RunResult* warmup_run) {
  const int64_t base_ns = warmup_run ? warmup_run->start_unix_ns : result.start_unix_ns;
  std::string out = "#[Histogram log format version 1.3]\n";
  out += "#[Logged by carronade: values in nanoseconds, Interval_Max in milliseconds]\n";
  // Without a base time readers guess whether the times of the lines are absolute.
  out += fmt::format("#[BaseTime: {:.3f} (seconds since epoch)]\n", seconds(base_ns));
  out += fmt::format("#[StartTime: {:.3f} (seconds since epoch), {}]\n", seconds(base_ns),
                     utc_date(base_ns));
  out +=
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
      "\"Interval_Compressed_Histogram\"\n";
  if (warmup_run) put_run(out, *warmup_run, "warmup", 0);
  put_run(out, result, "", result.start_unix_ns - base_ns);
  return out;
}

}  // namespace carronade::report
