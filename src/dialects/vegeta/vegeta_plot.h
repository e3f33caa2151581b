// Results of several attacks as one HTML page with everything in it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/vegeta/vegeta_plot_series.h"
#include "dialects/vegeta/vegeta_result.h"

namespace carronade::dialects::vegeta {

class LatencyPlot {
 public:
  // Points of one series at most, 0 for all; `files`: the names of the files, by number.
  LatencyPlot(size_t most_points, std::vector<std::string> files)
      : most_points_(most_points), files_(std::move(files)) {}

  // An attack is told from another by its name, and by its file where that has several.
  void add(const Result& result, size_t file);

  std::string page(std::string_view title) const;

  // More attacks than that are drawn as one.
  static constexpr size_t kMostRuns = 64;

 private:
  struct Run {
    std::string attack;
    size_t file;
    PlotSeries ok;
    PlotSeries error;
  };
  Run& run_of(const Result& result, size_t file);
  std::string label(const Run& run) const;
  std::string data_json() const;

  size_t most_points_;
  std::vector<std::string> files_;
  std::map<std::pair<size_t, std::string>, size_t> numbers_;
  std::vector<Run> runs_;
  size_t last_ = 0;  // most results are of the run of the one before
};

}  // namespace carronade::dialects::vegeta
