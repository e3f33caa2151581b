#include "report/latency_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/interval_text.h"
#include "report/result_json.h"
#include "stats/quantile_ci.h"

namespace carronade::report {

using Json = nlohmann::ordered_json;

namespace {

struct Percentile {
  const char* key;
  double percent;
};
constexpr std::array<Percentile, 5> kPercentiles{
    {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99_9", 99.9}, {"p99_99", 99.99}}};

}  // namespace

Json latency_json(const RunResult& result) {
  const Histogram& latency = result.latency;
  const stats::DesignEffect design_effect(measured_intervals(result));
  Json effects = Json::object();
  Json intervals = Json::object();
  for (const Percentile& p : kPercentiles) {
    effects[p.key] = nullptr;
    intervals[p.key] = nullptr;
    // Without intervals, of several results as one, nobody knows how samples depend on each other.
    if (latency.empty() || result.intervals.empty()) continue;
    const double effect = design_effect.at(latency.percentile(p.percent));
    effects[p.key] = rounded_json(effect);
    const auto interval = stats::quantile_interval(latency, p.percent, effect);
    if (interval) intervals[p.key] = {interval->low, interval->high};
  }
  Json json = histogram_json(latency);
  json["n"] = latency.count();
  json["designEffect"] = std::move(effects);
  json["interval95"] = std::move(intervals);
  return json;
}

}  // namespace carronade::report
