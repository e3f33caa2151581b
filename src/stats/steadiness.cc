#include "stats/steadiness.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace carronade::stats {

namespace {

constexpr size_t kShortest = 10;       // observations that tell a trend from chance
constexpr size_t kMostPoints = 500;    // Kendall and Theil–Sen look at all pairs
constexpr double kTwoSided99 = 2.576;  // normal law
constexpr double kOneSided99 = 2.326;

constexpr size_t kMserBatch = 5;
constexpr size_t kMserTail = 5;  // batches: fewer at the end are too few to judge by
// How much better a cut in the second half has to be than the best one in the first: a few
// batches that happen to be alike are no sign of a run that has not settled.
constexpr double kClearlyBetter = 0.5;
// How far what is cut off has to be from the rest, in standard errors of their difference: the
// least of many errors lies somewhere in pure chance too.
constexpr double kStandsOut = 5;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Means of `width` neighbours; a rest shorter than that is left out.
std::vector<double> batch_means(const std::vector<double>& series, size_t width) {
  std::vector<double> means;
  for (size_t end = width; end <= series.size(); end += width) {
    double sum = 0;
    for (size_t i = end - width; i < end; ++i) sum += series[i];
    means.push_back(sum / static_cast<double>(width));
  }
  return means;
}

// Whether the first `cut` batches differ from the others by more than chance.
bool stands_out(const std::vector<double>& batches, size_t cut) {
  if (cut == 0) return false;
  const auto split = batches.begin() + static_cast<std::ptrdiff_t>(cut);
  const auto cut_off = static_cast<double>(cut);
  const auto rest = static_cast<double>(batches.size() - cut);
  const double mean_before = std::accumulate(batches.begin(), split, 0.0) / cut_off;
  const double mean = std::accumulate(split, batches.end(), 0.0) / rest;
  double squares = 0;
  std::for_each(split, batches.end(), [&](double x) { squares += (x - mean) * (x - mean); });
  const double error = std::sqrt(squares / (rest - 1) * (1 / cut_off + 1 / rest));
  return std::abs(mean_before - mean) > kStandsOut * error;
}

double sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

// Kendall's sum over its standard deviation, corrected for ties and continuity (Mann–Kendall).
double kendall_score(const std::vector<double>& series) {
  double sum = 0;
  for (size_t i = 0; i < series.size(); ++i) {
    for (size_t j = i + 1; j < series.size(); ++j) sum += sign(series[j] - series[i]);
  }
  std::map<double, double> ties;
  for (const double value : series) ++ties[value];
  const auto weight = [](double n) { return n * (n - 1) * (2 * n + 5); };
  double variance = weight(static_cast<double>(series.size()));
  for (const auto& [value, count] : ties) variance -= weight(count);
  return variance > 0 ? (sum - sign(sum)) / std::sqrt(variance / 18) : 0;
}

double theil_sen_slope(const std::vector<double>& series) {
  std::vector<double> slopes;
  slopes.reserve(series.size() * (series.size() - 1) / 2);
  for (size_t i = 0; i < series.size(); ++i) {
    for (size_t j = i + 1; j < series.size(); ++j) {
      slopes.push_back((series[j] - series[i]) / static_cast<double>(j - i));
    }
  }
  return median_of(std::move(slopes));
}

// Wald and Wolfowitz: too few runs above and below the median. Values at the median say nothing.
bool too_few_runs(const std::vector<double>& series, double median) {
  double above = 0;
  double below = 0;
  double runs = 0;
  double last = 0;
  for (const double value : series) {
    const double side = sign(value - median);
    if (side == 0) continue;
    (side > 0 ? above : below) += 1;
    if (side != last) ++runs;
    last = side;
  }
  const double count = above + below;
  const double twice = 2 * above * below;
  if (count < 2 || twice == 0) return false;
  const double mean = twice / count + 1;
  const double variance = twice * (twice - count) / (count * count * (count - 1));
  return variance > 0 && (runs + 0.5 - mean) / std::sqrt(variance) < -kOneSided99;
}

}  // namespace

Cut mser5(const std::vector<double>& series) {
  const std::vector<double> batches = batch_means(series, kMserBatch);
  const size_t size = batches.size();
  if (size <= kMserTail) return {};
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double mean = 0;
  double squares = 0;
  double least_late = kNone;
  double least = kNone;
  size_t cut = 0;
  // From the end: the mean and the squares about it of all batches from `i` on (Welford).
  for (size_t i = size; i-- > 0;) {
    const auto count = static_cast<double>(size - i);
    const double delta = batches[i] - mean;
    mean += delta / count;
    squares += delta * (batches[i] - mean);
    if (size - i < kMserTail) continue;
    const double error = squares / (count * count);
    if (2 * i > size) {
      least_late = std::min(least_late, error);
    } else if (error <= least) {
      least = error;
      cut = i;
    }
  }
  if (least_late < kClearlyBetter * least) return {0, false};
  return {stands_out(batches, cut) ? cut * kMserBatch : 0, true};
}

Steadiness steadiness(const std::vector<double>& series) {
  Steadiness found;
  if (series.size() < kShortest) return found;
  const size_t width = (series.size() + kMostPoints - 1) / kMostPoints;
  const std::vector<double> points = batch_means(series, width);
  const double median = median_of(points);
  found.trend = std::abs(kendall_score(points)) > kTwoSided99;
  found.wanders = too_few_runs(points, median);
  const double change = theil_sen_slope(points) * static_cast<double>(points.size() - 1);
  if (median != 0) found.change = change / std::abs(median);
  return found;
}

}  // namespace carronade::stats
