#include "stats/batch_variance.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace carronade::stats {

namespace {

// One-sided 10 %: how far above 0 the correlation of neighbouring batches may be by chance, in
// its standard error of 1 / √batches.
constexpr double kCorrelation90 = 1.282;
// Below this many batches of twice the size their variance says nothing about correlation.
constexpr size_t kBatchesToCompare = 3;

struct Batches {
  double ratio = 0;
  double kurtosis = 3;
};

// All runs of `width` neighbours. A batch's sum varies less than it would on its own, since all
// sums add up to 0: hence 1 - weight / total.
Batches batches_of(const std::vector<double>& deviations, const std::vector<double>& weights,
                   size_t width, double total) {
  double sum = 0;
  double weight = 0;
  double squares = 0;
  double fourths = 0;
  double expected = 0;
  for (size_t i = 0; i < deviations.size(); ++i) {
    sum += deviations[i];
    weight += weights[i];
    if (i >= width) {
      sum -= deviations[i - width];
      weight -= weights[i - width];
    }
    if (i + 1 < width) continue;
    squares += sum * sum;
    fourths += sum * sum * sum * sum;
    expected += weight * (1 - weight / total);
  }
  Batches found;
  if (expected > 0) found.ratio = squares / expected;
  const auto count = static_cast<double>(deviations.size() - width + 1);
  if (squares > 0) found.kurtosis = count * fourths / (squares * squares);
  return found;
}

}  // namespace

BatchVariance batch_variance(const std::vector<double>& deviations,
                             const std::vector<double>& weights, double min_batches) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const size_t size = deviations.size();
  if (size < 2 || total <= 0) return {};
  const auto batches = [&](size_t width) {
    return static_cast<double>(size) / static_cast<double>(width);
  };
  size_t width = 1;
  BatchVariance found;
  Batches now = batches_of(deviations, weights, width, total);
  for (;;) {
    if (2 * width * kBatchesToCompare <= size) {
      const Batches next = batches_of(deviations, weights, 2 * width, total);
      const double correlation = now.ratio > 0 ? next.ratio / now.ratio - 1 : 0;
      found.settled = correlation <= kCorrelation90 / std::sqrt(batches(width));
    } else {
      // Nothing to compare with. A short series gets the benefit of the doubt; one that was seen
      // to depend on itself at two sizes does not.
      found.settled = width <= 2;
    }
    if (batches(2 * width) < min_batches) break;
    width *= 2;
    now = batches_of(deviations, weights, width, total);
    if (found.settled) break;
  }
  found.ratio = now.ratio;
  found.kurtosis = now.kurtosis;
  // Overlapping batches tell half as much again as those that stand side by side.
  found.degrees = width == 1 ? static_cast<double>(size - 1) : 1.5 * batches(width) - 1;
  return found;
}

// Expansion in 1 / degrees about the normal law (Abramowitz and Stegun 26.7.5).
double student95(double degrees) {
  const double z = kNormal95;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  const double z9 = z7 * z * z;
  const double inverse = 1 / degrees;
  const double g1 = (z3 + z) / 4;
  const double g2 = (5 * z5 + 16 * z3 + 3 * z) / 96;
  const double g3 = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  const double g4 = (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160;
  return z + inverse * (g1 + inverse * (g2 + inverse * (g3 + inverse * g4)));
}

}  // namespace carronade::stats
