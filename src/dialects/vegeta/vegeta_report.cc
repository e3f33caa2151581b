#include "dialects/vegeta/vegeta_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "dialects/vegeta/vegeta_go_duration.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {
namespace {

using Row = std::vector<std::string>;

// Characters, not bytes: "µs" is two wide.
size_t width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

// All columns but the last are as wide as their longest cell and two blanks.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]) + 2);
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - width(row[i]), ' ');
    }
    text += '\n';
  }
  return text;
}

std::string durations(std::initializer_list<int64_t> times_ns) {
  std::string text;
  for (const int64_t ns : times_ns) {
    if (!text.empty()) text += ", ";
    text += rounded_go_duration(ns);
  }
  return text;
}

// The members of an object, in their order.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  std::string& member(std::string_view name) {
    if (std::exchange(any_, true)) out_ += ',';
    append_json_string(name, out_);
    out_ += ':';
    return out_;
  }
  void whole(std::string_view name, int64_t value) { member(name) += fmt::format("{}", value); }
  void count(std::string_view name, uint64_t value) { member(name) += fmt::format("{}", value); }
  void number(std::string_view name, double value) { append_json_number(value, member(name)); }
  // Go's zero time when there was no request.
  void time(std::string_view name, bool any, ZonedTime time) {
    std::string& out = member(name);
    out += '"';
    if (any) append_time(time.unix_ns, time.zone_minutes, out);
    out += any ? "\"" : "0001-01-01T00:00:00Z\"";
  }
  void close() { out_ += '}'; }

 private:
  std::string& out_;
  bool any_ = false;
};

void append_latencies(const ResultMetrics& metrics, std::string& out) {
  const Histogram& latency = metrics.latency();
  JsonObject object(out);
  object.whole("total", metrics.latency_total_ns());
  object.whole("mean", metrics.latency_mean_ns());
  object.whole("50th", latency.percentile(50));
  object.whole("90th", latency.percentile(90));
  object.whole("95th", latency.percentile(95));
  object.whole("99th", latency.percentile(99));
  object.whole("max", latency.max());
  object.whole("min", latency.min());
  object.close();
}

void append_bytes_member(std::string_view name, uint64_t total, double mean, JsonObject& report) {
  JsonObject object(report.member(name));
  object.count("total", total);
  object.number("mean", mean);
  object.close();
}

// The quantiles of an HDR spectrum as vegeta prints them, to 6 digits.
constexpr std::array<double, 94> kQuantiles{
    0,        0.1,      0.2,      0.3,      0.4,      0.5,      0.55,     0.6,      0.65,
    0.7,      0.75,     0.775,    0.8,      0.825,    0.85,     0.875,    0.8875,   0.9,
    0.9125,   0.925,    0.9375,   0.94375,  0.95,     0.95625,  0.9625,   0.96875,  0.971875,
    0.975,    0.978125, 0.98125,  0.984375, 0.985938, 0.9875,   0.989062, 0.990625, 0.992188,
    0.992969, 0.99375,  0.994531, 0.995313, 0.996094, 0.996484, 0.996875, 0.997266, 0.997656,
    0.998047, 0.998242, 0.998437, 0.998633, 0.998828, 0.999023, 0.999121, 0.999219, 0.999316,
    0.999414, 0.999512, 0.999561, 0.999609, 0.999658, 0.999707, 0.999756, 0.99978,  0.999805,
    0.999829, 0.999854, 0.999878, 0.99989,  0.999902, 0.999915, 0.999927, 0.999939, 0.999945,
    0.999951, 0.999957, 0.999963, 0.999969, 0.999973, 0.999976, 0.999979, 0.999982, 0.999985,
    0.999986, 0.999988, 0.999989, 0.999991, 0.999992, 0.999993, 0.999994, 0.999995, 0.999996,
    0.999997, 0.999998, 0.999999, 1};

}  // namespace

Expected<BucketCounts> BucketCounts::parse(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return unexpected("bad buckets: " + std::string(text));
  }
  BucketCounts buckets;
  for (const std::string_view word : base::split(text.substr(1, text.size() - 2), ',')) {
    const Expected<int64_t> bound = parse_go_duration(base::trim(word));
    if (!bound) return unexpected(bound.error());
    if (buckets.bounds_ns_.empty() && *bound > 0) buckets.bounds_ns_.push_back(0);
    if (!buckets.bounds_ns_.empty() && *bound <= buckets.bounds_ns_.back()) {
      return unexpected("bad buckets: " + std::string(text) + ": the bounds have to rise");
    }
    buckets.bounds_ns_.push_back(*bound);
  }
  buckets.counts_.resize(buckets.bounds_ns_.size());
  return buckets;
}

void BucketCounts::add(int64_t latency_ns) {
  const auto above = std::upper_bound(bounds_ns_.begin(), bounds_ns_.end(), latency_ns);
  const auto bucket = std::max<ptrdiff_t>(above - bounds_ns_.begin() - 1, 0);
  ++counts_[static_cast<size_t>(bucket)];
  ++total_;
}

std::string text_report(const ResultMetrics& metrics) {
  const Histogram& latency = metrics.latency();
  std::string codes;
  for (const auto& [code, count] : metrics.status_codes()) {
    codes += fmt::format("{}:{}  ", code, count);
  }
  std::string text = aligned({
      {"Requests", "[total, rate, throughput]",
       fmt::format("{}, {:.2f}, {:.2f}", metrics.requests(), metrics.rate(), metrics.throughput())},
      {"Duration", "[total, attack, wait]",
       durations({metrics.total_ns(), metrics.attack_ns(), metrics.wait_ns()})},
      {"Latencies", "[min, mean, 50, 90, 95, 99, max]",
       durations({latency.min(), metrics.latency_mean_ns(), latency.percentile(50),
                  latency.percentile(90), latency.percentile(95), latency.percentile(99),
                  latency.max()})},
      {"Bytes In", "[total, mean]",
       fmt::format("{}, {:.2f}", metrics.bytes_in(), metrics.bytes_in_mean())},
      {"Bytes Out", "[total, mean]",
       fmt::format("{}, {:.2f}", metrics.bytes_out(), metrics.bytes_out_mean())},
      {"Success", "[ratio]", fmt::format("{:.2f}%", metrics.success() * 100)},
      {"Status Codes", "[code:count]", codes},
  });
  text += "Error Set:\n";
  for (const std::string& error : metrics.errors()) text += base::printable(error) + "\n";
  return text;
}

std::string json_report(const ResultMetrics& metrics, const BucketCounts* buckets) {
  const bool any = metrics.requests() > 0;
  std::string out;
  JsonObject report(out);
  append_latencies(metrics, report.member("latencies"));
  if (buckets != nullptr) {
    JsonObject counts(report.member("buckets"));
    for (size_t i = 0; i < buckets->counts().size(); ++i) {
      counts.count(fmt::format("{}", buckets->bounds_ns()[i]), buckets->counts()[i]);
    }
    counts.close();
  }
  append_bytes_member("bytes_in", metrics.bytes_in(), metrics.bytes_in_mean(), report);
  append_bytes_member("bytes_out", metrics.bytes_out(), metrics.bytes_out_mean(), report);
  report.time("earliest", any, metrics.earliest());
  report.time("latest", any, metrics.latest());
  report.time("end", any, metrics.end());
  report.whole("duration", metrics.attack_ns());
  report.whole("wait", metrics.wait_ns());
  report.count("requests", metrics.requests());
  report.number("rate", metrics.rate());
  report.number("throughput", metrics.throughput());
  report.number("success", metrics.success());
  JsonObject codes(report.member("status_codes"));
  for (const auto& [code, count] : metrics.status_codes()) codes.count(code, count);
  codes.close();
  report.member("errors") += '[';
  for (char before = '\0'; const std::string& error : metrics.errors()) {
    if (std::exchange(before, ',') != '\0') out += ',';
    append_json_string(error, out);
  }
  out += "]}\n";
  return out;
}

std::string hist_report(const BucketCounts& buckets) {
  constexpr double kBarColumns = 75;
  std::vector<Row> rows{{"Bucket", "", "#", "%", "Histogram"}};
  const std::vector<int64_t>& bounds = buckets.bounds_ns();
  for (size_t i = 0; i < bounds.size(); ++i) {
    const uint64_t count = buckets.counts()[i];
    const double share =
        count == 0 ? 0 : static_cast<double>(count) / static_cast<double>(buckets.total());
    const std::string upper = i + 1 < bounds.size() ? go_duration(bounds[i + 1]) : "+Inf";
    rows.push_back({"[" + go_duration(bounds[i]) + ",", upper + "]", fmt::format("{}", count),
                    fmt::format("{:.2f}%", share * 100),
                    std::string(static_cast<size_t>(share * kBarColumns), '#')});
  }
  return aligned(rows);
}

std::string hdrplot_report(const ResultMetrics& metrics) {
  constexpr double kInstead = 10'000'000;  // of 1 / 0
  constexpr double kMillisecond = 1e6;
  std::vector<Row> rows{{"Value(ms)", "Percentile", "TotalCount", "1/(1-Percentile)"}};
  const auto total = static_cast<double>(metrics.requests());
  for (const double quantile : kQuantiles) {
    const Histogram& latency = metrics.latency();
    const auto value =
        static_cast<double>(quantile > 0 ? latency.percentile(quantile * 100) : latency.min());
    rows.push_back({fmt::format("{:f}", value / kMillisecond), fmt::format("{:f}", quantile),
                    fmt::format("{}", static_cast<int64_t>(quantile * total + 0.5)),
                    fmt::format("{:f}", quantile < 1 ? 1 / (1 - quantile) : kInstead)});
  }
  return aligned(rows);
}

}  // namespace carronade::dialects::vegeta
