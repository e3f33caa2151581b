#include "dialects/wrk/wrk_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "report/spread.h"

namespace carronade::dialects::wrk {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr double kNoPercent = std::numeric_limits<double>::quiet_NaN();

double of_sample(double population_stdev, double count) {
  return count < 2 ? 0 : population_stdev * std::sqrt(count / (count - 1));
}

// Fills what follows from the values themselves.
void summarise(script::ScriptStats& stats) {
  double count = 0;
  double sum = 0;
  for (const auto& [value, times] : stats.values) {
    count += static_cast<double>(times);
    sum += static_cast<double>(value) * static_cast<double>(times);
  }
  if (count == 0) return;
  stats.mean = sum / count;
  double squares = 0;
  for (const auto& [value, times] : stats.values) {
    const double off = static_cast<double>(value) - stats.mean;
    squares += off * off * static_cast<double>(times);
  }
  stats.stdev = count < 2 ? 0 : std::sqrt(squares / (count - 1));
  stats.min = static_cast<double>(stats.values.front().first);
  stats.max = static_cast<double>(stats.values.back().first);
}

void add(script::ScriptStats& stats, uint64_t value, uint64_t count) {
  if (!stats.values.empty() && stats.values.back().first == value) {
    stats.values.back().second += count;
  } else {
    stats.values.emplace_back(value, count);
  }
}

uint64_t* field_of(script::ScriptSummary& summary, const ErrorCount& error) {
  switch (error.kind) {
    case ErrorKind::kResolveFailed:
    case ErrorKind::kConnectRefused:
    case ErrorKind::kConnectFailed:
    case ErrorKind::kConnectTimeout:
    case ErrorKind::kOutOfDescriptors:
    case ErrorKind::kOutOfPorts:
    case ErrorKind::kOutOfMemory:
    case ErrorKind::kTlsHandshake:
    case ErrorKind::kTlsCertificate:
      return &summary.connect_errors;
    case ErrorKind::kTimeout:
      return &summary.timeouts;
    default:
      return error.phase == Phase::kWrite ? &summary.write_errors : &summary.read_errors;
  }
}

}  // namespace

WrkRow latency_row(const Histogram& latency) {
  if (latency.empty()) return {.within = kNoPercent};
  const auto count = static_cast<double>(latency.count());
  const double stdev_ns = of_sample(latency.stddev(), count);
  const double low_ns = latency.mean() - stdev_ns;
  const double high_ns = latency.mean() + stdev_ns;
  uint64_t within = 0;
  for (int i = 0; i < Histogram::bucket_count(); ++i) {
    const bool beside = static_cast<double>(Histogram::bucket_high(i)) < low_ns ||
                        static_cast<double>(Histogram::bucket_low(i)) > high_ns;
    if (!beside) within += latency.bucket(i);
  }
  return {.mean = latency.mean() / kNsPerUs,
          .stdev = stdev_ns / kNsPerUs,
          .max = static_cast<double>(latency.max()) / kNsPerUs,
          .within = 100 * static_cast<double>(within) / count};
}

WrkRow stats_row(const script::ScriptStats& stats) {
  WrkRow row{.mean = stats.mean, .stdev = stats.stdev, .max = stats.max, .within = kNoPercent};
  uint64_t within = 0;
  for (const auto& [value, count] : stats.values) {
    const double off = std::abs(static_cast<double>(value) - stats.mean);
    if (off <= stats.stdev + stats.mean * 1e-12) within += count;
  }
  const auto count = static_cast<double>(stats.count());
  if (count > 0) row.within = 100 * static_cast<double>(within) / count;
  return row;
}

std::vector<double> thread_rates(const RunResult& result, uint32_t threads, bool skip_empty) {
  const report::Spread spread = report::window_spread(result, report::Counted::kAnswers);
  std::vector<double> rates;
  rates.reserve(spread.size());
  for (const double count : spread.counts) {
    if (skip_empty && count == 0) continue;
    rates.push_back(spread.per_second(count) / threads);
  }
  return rates;
}

WrkRow rate_row(const std::vector<double>& rates) {
  if (rates.empty()) return {.within = kNoPercent};
  const auto count = static_cast<double>(rates.size());
  WrkRow row;
  for (const double rate : rates) row.mean += rate / count;
  double squares = 0;
  for (const double rate : rates) squares += (rate - row.mean) * (rate - row.mean);
  row.stdev = count < 2 ? 0 : std::sqrt(squares / (count - 1));
  row.max = *std::max_element(rates.begin(), rates.end());
  if (row.max == 0) return {.within = kNoPercent};  // nothing was answered: no samples
  // Equal rates are all within, whatever the rounding of their mean.
  const double reach = row.stdev + row.mean * 1e-12;
  const auto within = std::count_if(
      rates.begin(), rates.end(), [&](double rate) { return std::abs(rate - row.mean) <= reach; });
  row.within = 100 * static_cast<double>(within) / count;
  return row;
}

script::ScriptSummary summary_of(const RunResult& result) {
  script::ScriptSummary summary{.duration_us = result.elapsed_ns / 1000,
                                .requests = result.answered,
                                .bytes = result.bytes_received};
  for (const ErrorCount& error : result.errors) *field_of(summary, error) += error.count;
  for (size_t status = 400; status < result.by_status.size(); ++status) {
    summary.status_errors += result.by_status[status];
  }
  return summary;
}

script::ScriptStats latency_stats(const Histogram& latency) {
  script::ScriptStats stats;
  if (latency.empty()) return stats;
  for (int i = 0; i < Histogram::bucket_count(); ++i) {
    if (latency.bucket(i) == 0) continue;
    const int64_t ns = std::clamp(Histogram::bucket_high(i), latency.min(), latency.max());
    add(stats, static_cast<uint64_t>(ns / 1000), latency.bucket(i));
  }
  stats.min = std::floor(static_cast<double>(latency.min()) / kNsPerUs);
  stats.max = std::floor(static_cast<double>(latency.max()) / kNsPerUs);
  stats.mean = latency.mean() / kNsPerUs;
  stats.stdev = of_sample(latency.stddev(), static_cast<double>(latency.count())) / kNsPerUs;
  return stats;
}

script::ScriptStats rate_stats(const std::vector<double>& rates) {
  std::vector<double> sorted = rates;
  std::sort(sorted.begin(), sorted.end());
  script::ScriptStats stats;
  for (const double rate : sorted) add(stats, static_cast<uint64_t>(rate), 1);
  summarise(stats);
  return stats;
}

script::ScriptStats corrected(const script::ScriptStats& latency, double interval_us) {
  const auto interval = static_cast<uint64_t>(interval_us);
  if (interval == 0) return latency;
  std::map<uint64_t, uint64_t> counts(latency.values.begin(), latency.values.end());
  for (const auto& [value, count] : latency.values) {
    if (value < 2 * interval) continue;
    for (uint64_t made = value - interval; made > interval; made -= interval) {
      counts[made] += count;
    }
  }
  script::ScriptStats stats;
  stats.rank_above = latency.rank_above;
  stats.values.assign(counts.begin(), counts.end());
  summarise(stats);
  return stats;
}

}  // namespace carronade::dialects::wrk
