// The result as JSON: autocannon's keys in its order, then the object `carronade`.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "carronade/result_document.h"
#include "dialects/carronade/carronade_report.h"
#include "dialects/carronade/strict_stats.h"
#include "report/result_json.h"
#include "report/spread.h"

namespace carronade::dialects {
namespace {

using Json = nlohmann::ordered_json;
using report::Counted;
using report::number_json;
using report::Spread;

// Rounds to `decimals` so that the shortest form of the number has no more.
Json decimal(double number, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return number_json(std::round(number * scale) / scale);
}

// 2026-11-30T20:39:38.259Z
std::string iso_time(int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     unix_ns % 1'000'000'000 / 1'000'000);
}

// The moments, then `extra` (a total), then the percentiles: autocannon's order.
struct Moments {
  Json average, stddev, min, max;
};

Json moments_json(const Moments& moments) {
  Json json;
  json["average"] = moments.average;
  json["mean"] = moments.average;
  json["stddev"] = moments.stddev;
  json["min"] = moments.min;
  json["max"] = moments.max;
  return json;
}

template <class Percentile>
void add_percentiles(Json& json, Percentile percentile) {
  for (const NamedPercentile& p : kAutocannonPercentiles) json[p.key] = percentile(p.percent);
}

Json strict_moments(const StrictStats& stats) {
  return moments_json(
      {number_json(stats.average()), number_json(stats.stddev()), stats.min(), stats.max()});
}

Json strict_latency_json(const Histogram& latency) {
  const StrictStats stats = strict_latency(latency);
  Json json = strict_moments(stats);
  add_percentiles(json, [&stats](double percent) { return Json(stats.percentile(percent)); });
  json["totalCount"] = latency.count();
  return json;
}

Json strict_spread_json(const RunResult& result, Counted what, uint64_t total) {
  StrictStats stats;
  for (const Window& tick : strict_ticks(result)) {
    const uint64_t count = what == Counted::kAnswers ? tick.answered : tick.bytes_received;
    stats.add(static_cast<int64_t>(count), 1);
  }
  Json json = strict_moments(stats);
  json["total"] = total;
  add_percentiles(json, [&stats](double percent) { return Json(stats.percentile(percent)); });
  return json;
}

// In ms, to the ns.
Json plain_latency_json(const Histogram& latency) {
  const auto ms = [](double ns) { return decimal(ns / 1e6, 6); };
  Json json = moments_json({ms(latency.mean()), ms(latency.stddev()),
                            ms(static_cast<double>(latency.min())),
                            ms(static_cast<double>(latency.max()))});
  add_percentiles(
      json, [&](double percent) { return ms(static_cast<double>(latency.percentile(percent))); });
  json["totalCount"] = latency.count();
  return json;
}

double smallest_above_zero(const Spread& spread) {
  for (const double count : spread.counts) {
    if (count > 0) return count;
  }
  return 0;
}

Json plain_spread_json(const RunResult& result, Counted what, uint64_t total) {
  const Spread spread = report::window_spread(result, what);
  const auto count = [](double number) { return decimal(number, 2); };
  Json json = moments_json({count(spread.mean()), count(spread.stddev()),
                            count(smallest_above_zero(spread)), count(spread.max())});
  json["total"] = total;
  add_percentiles(json, [&](double percent) { return count(spread.percentile(percent)); });
  return json;
}

// Of the answers that count: with RunSpec::exclude_error_stats not all that was received.
uint64_t counted_bytes(const RunResult& result) {
  uint64_t total = 0;
  for (const Window& window : result.samples) total += window.bytes_received;
  return total;
}

Json status_json(const RunResult& result) {
  Json json = Json::object();
  for (size_t code = 0; code < result.by_status.size(); ++code) {
    const bool message = code == 0 && result.websocket;
    if (result.by_status[code] == 0 || message) continue;
    json[fmt::format("{}", code)] = {{"count", result.by_status[code]}};
  }
  return json;
}

size_t sample_count(const RunResult& result, bool strict) {
  return strict ? strict_ticks(result).size()
                : report::window_spread(result, Counted::kAnswers).size();
}

// What was asked for and how long it took.
Json heading_json(const RunResult& result, const ReportFacts& facts, uint64_t connections) {
  Json json;
  if (!facts.title.empty()) json["title"] = facts.title;
  json["url"] = facts.urls.size() == 1 ? Json(facts.urls.front()) : Json(facts.urls);
  if (!facts.socket_path.empty()) json["socketPath"] = facts.socket_path;
  json["connections"] = connections;
  json["sampleInt"] = decimal(static_cast<double>(result.sample_interval_ns) / 1e6, 6);
  json["pipelining"] = facts.pipelining;
  json["workers"] = facts.workers;
  json["duration"] = decimal(static_cast<double>(result.elapsed_ns) / 1e9, facts.strict ? 2 : 6);
  json["samples"] = sample_count(result, facts.strict);
  json["start"] = iso_time(result.start_unix_ns);
  json["finish"] = iso_time(result.start_unix_ns + result.elapsed_ns);
  return json;
}

Json document(const RunResult& result, const ReportFacts& facts, uint64_t connections) {
  Json json = heading_json(result, facts, connections);
  json["errors"] = result.error_total();
  json["timeouts"] = result.timeout_total();
  json["mismatches"] = result.mismatched;
  json["non2xx"] = result.non_2xx();
  json["resets"] = facts.resets;
  for (int hundreds = 1; hundreds <= 5; ++hundreds) {
    json[fmt::format("{}xx", hundreds)] = result.status_class(hundreds);
  }
  json["statusCodeStats"] = status_json(result);
  if (facts.strict) {
    json["latency"] = strict_latency_json(main_latency(result, facts));
    json["requests"] = strict_spread_json(result, Counted::kAnswers, result.answered);
    json["requests"]["sent"] = result.sent;
    json["throughput"] = strict_spread_json(result, Counted::kBytesReceived, counted_bytes(result));
  } else {
    json["latency"] = plain_latency_json(main_latency(result, facts));
    json["requests"] = plain_spread_json(result, Counted::kAnswers, result.answered);
    json["requests"]["sent"] = result.sent;
    json["throughput"] = plain_spread_json(result, Counted::kBytesReceived, counted_bytes(result));
    json["carronade"] = report::result_json(result);
  }
  return json;
}

}  // namespace

std::string json_report(const RunResult& result, const ReportFacts& facts,
                        const RunResult* warmup) {
  Json json = document(result, facts, facts.connections);
  if (warmup != nullptr) json["warmup"] = document(*warmup, facts, warmup->connections_asked);
  return report::dump_json(json);
}

}  // namespace carronade::dialects

namespace carronade {

std::string result_document(const RunResult& result, const DocumentFacts& facts) {
  dialects::ReportFacts report;
  report.urls = facts.urls;
  report.socket_path = facts.socket_path;
  report.title = facts.title;
  report.connections = facts.connections;
  report.pipelining = facts.pipelining;
  report.workers = facts.workers;
  report.resets = facts.resets;
  report.service_time = facts.service_time;
  return dialects::json_report(result, report, nullptr);
}

}  // namespace carronade
