#include "dialects/vegeta/vegeta_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "dialects/vegeta/vegeta_plot_assets.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {
namespace {

// `value` of so many units, exactly, without zeros at its end.
void append_decimal(int64_t value, uint64_t unit, int digits, std::string& out) {
  if (value < 0) out += '-';
  const auto bits = static_cast<uint64_t>(value);
  const uint64_t size = value < 0 ? 0 - bits : bits;
  fmt::format_to(std::back_inserter(out), "{}", size / unit);
  if (size % unit == 0) return;
  fmt::format_to(std::back_inserter(out), ".{:0{}}", size % unit, digits);
  out.erase(out.find_last_not_of('0') + 1);
}

void append_numbers(const std::vector<PlotPoint>& points, int64_t start_ns, std::string& out) {
  constexpr int64_t kMicrosecond = 1'000;
  out += ",\"x\":[";
  for (size_t i = 0; i < points.size(); ++i) {
    if (i > 0) out += ',';
    const int64_t since_ns = saturated_difference(points[i].unix_ns, start_ns);
    append_decimal(since_ns / kMicrosecond, 1'000'000, 6, out);
  }
  out += "],\"y\":[";
  for (size_t i = 0; i < points.size(); ++i) {
    if (i > 0) out += ',';
    append_decimal(points[i].latency_ns, 1'000'000, 6, out);
  }
  out += ']';
}

}  // namespace

LatencyPlot::Run& LatencyPlot::run_of(const Result& result, size_t file) {
  if (last_ < runs_.size() && runs_[last_].file == file && runs_[last_].attack == result.attack) {
    return runs_[last_];
  }
  std::pair<size_t, std::string> key(file, result.attack);
  if (numbers_.size() >= kMostRuns && !numbers_.contains(key)) {
    key = {files_.size(), "all other attacks"};
  }
  const auto [place, is_new] = numbers_.try_emplace(key, runs_.size());
  if (is_new) {
    runs_.push_back({key.second, key.first, PlotSeries(most_points_), PlotSeries(most_points_)});
  }
  last_ = place->second;
  return runs_[last_];
}

void LatencyPlot::add(const Result& result, size_t file) {
  Run& run = run_of(result, file);
  PlotSeries& series = result.error.empty() ? run.ok : run.error;
  series.add({result.timestamp_unix_ns, result.latency_ns});
}

std::string LatencyPlot::label(const Run& run) const {
  const auto same = [&run](const Run& other) { return other.attack == run.attack; };
  const bool alone = std::count_if(runs_.begin(), runs_.end(), same) == 1;
  if (alone || run.file >= files_.size()) return run.attack;
  return run.attack.empty() ? files_[run.file] : run.attack + " (" + files_[run.file] + ")";
}

std::string LatencyPlot::data_json() const {
  std::string out = "{\"series\":[";
  bool any = false;
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    int64_t start_ns = INT64_MAX;
    for (const PlotSeries* series : {&run.ok, &run.error}) {
      if (series->count() > 0) start_ns = std::min(start_ns, series->first_ns());
    }
    for (const bool error : {false, true}) {
      const PlotSeries& series = error ? run.error : run.ok;
      if (series.count() == 0) continue;
      if (any) out += ",\n";
      any = true;
      const std::string name = label(run);
      out += "{\"label\":";
      append_json_string((name.empty() ? "" : name + ": ") + (error ? "ERROR" : "OK"), out);
      fmt::format_to(std::back_inserter(out), ",\"run\":{},\"error\":{},\"count\":{}", i, error,
                     series.count());
      append_numbers(series.points(), start_ns, out);
      out += '}';
    }
  }
  return out + "]}";
}

std::string LatencyPlot::page(std::string_view title) const {
  const std::string heading = base::html_escaped(title);
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<title>" + heading + "</title>\n<style>\n" + std::string(plot_css()) + "</style>\n";
  page += "</head>\n<body>\n<main>\n<header><h1>" + heading + "</h1><span id=\"hint\"></span>";
  page += "<button id=\"scale\">logarithmic scale</button></header>\n";
  page += "<canvas id=\"plot\"></canvas>\n<div id=\"legend\"></div>\n</main>\n";
  page += "<script type=\"application/json\" id=\"data\">" + data_json() + "</script>\n";
  page += "<script>\n" + std::string(plot_script()) + "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace carronade::dialects::vegeta
