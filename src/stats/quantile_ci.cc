#include "stats/quantile_ci.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/batch_variance.h"

namespace carronade::stats {

namespace {

constexpr double kTail = 0.025;  // of the 5 % that miss, on each side
// The normal law stands in for the binomial from so many samples, of which so many lie beyond.
constexpr double kNormalFrom = 1000;
constexpr double kNormalTail = 200;
// A rate's own interval is wanted from ten seconds on: half as many batches as for a percentile.
constexpr double kMeanBatches = 5;
constexpr size_t kMeanWindows = 4;

struct Ranks {
  double low = 0;  // 1 … count
  double high = 0;
};

Ranks normal_ranks(double count, double share, double design_effect) {
  const double half = kNormal95 * std::sqrt(design_effect * count * share * (1 - share));
  return {std::floor(count * share - half), std::ceil(count * share + half)};
}

// How many of `count` samples may lie above the quantile: the binomial law's two ends. As many
// independent samples as there are effectively, and their ends between two whole numbers scaled
// up, so that the steps do not grow with the design effect. `share` ≥ 0.5.
std::optional<Ranks> binomial_ranks(double count, double share, double design_effect) {
  const double independent = std::floor(count / design_effect);
  // When even the largest sample may lie below the quantile there is no upper bound.
  if (independent * std::log(share) > std::log(kTail)) return std::nullopt;
  const double scale = count / independent;
  const double odds = (1 - share) / share;
  double mass = std::exp(independent * std::log(share));
  double below = 0;  // P(above < y)
  double fewest = -1;
  for (double y = 0; y <= independent; ++y) {
    const double upto = below + mass;
    if (fewest < 0 && upto > kTail) fewest = y - 1 + (kTail - below) / mass;
    if (1 - upto <= kTail) {
      const double most = y + (1 - below - kTail) / mass;
      return Ranks{std::floor(count + 1 - most * scale), std::ceil(count - fewest * scale)};
    }
    below = upto;
    mass *= (independent - y) / (y + 1) * odds;
  }
  return std::nullopt;
}

std::optional<Ranks> ranks_of(double count, double share, double design_effect) {
  const double independent = count / design_effect;
  const double rarer = std::min(share, 1 - share);
  if (independent >= kNormalFrom && independent * rarer >= kNormalTail) {
    return normal_ranks(count, share, design_effect);
  }
  std::optional<Ranks> ranks = binomial_ranks(count, 1 - rarer, design_effect);
  if (ranks && share < 0.5) ranks = Ranks{count + 1 - ranks->high, count + 1 - ranks->low};
  return ranks;
}

// The bucket that has the sample of this rank.
int bucket_of(const Histogram& histogram, double rank) {
  const int last = Histogram::bucket_index(histogram.max());
  double seen = 0;
  for (int i = Histogram::bucket_index(histogram.min()); i < last; ++i) {
    seen += static_cast<double>(histogram.bucket(i));
    if (seen >= rank) return i;
  }
  return last;
}

}  // namespace

std::optional<QuantileInterval> quantile_interval(const Histogram& histogram, double percent,
                                                  double design_effect) {
  if (histogram.empty() || !(percent > 0 && percent < 100)) return std::nullopt;
  if (!std::isfinite(design_effect)) return std::nullopt;
  const auto count = static_cast<double>(histogram.count());
  const auto ranks = ranks_of(count, percent / 100, std::max(design_effect, 1.0));
  if (!ranks || ranks->low < 1 || ranks->high > count) return std::nullopt;
  const int low = bucket_of(histogram, ranks->low);
  const int high = bucket_of(histogram, ranks->high);
  return QuantileInterval{std::max(Histogram::bucket_low(low), histogram.min()),
                          std::min(Histogram::bucket_high(high), histogram.max())};
}

std::optional<MeanInterval> mean_interval(const std::vector<double>& series) {
  if (series.size() < kMeanWindows) return std::nullopt;
  const auto size = static_cast<double>(series.size());
  const double mean = std::accumulate(series.begin(), series.end(), 0.0) / size;
  std::vector<double> deviations = series;
  for (double& value : deviations) value -= mean;
  const BatchVariance found =
      batch_variance(deviations, std::vector<double>(series.size(), 1), kMeanBatches);
  if (!found.settled) return std::nullopt;
  const double half = student95(found.degrees) * std::sqrt(found.ratio / size);
  return MeanInterval{mean - half, mean + half};
}

}  // namespace carronade::stats
