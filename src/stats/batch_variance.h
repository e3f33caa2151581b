// The variance of a sum of values that depend on their neighbours, by overlapping batch means
// (Meketon and Schmeiser 1984). Pure.
#pragma once

#include <vector>

namespace carronade::stats {

// `ratio` estimates Var(Σ deviation) / Σ weight over the whole series. The batch is doubled until
// neighbouring batches no longer depend on each other by a test at 10 %, then once more, as long
// as at least `min_batches` of them remain. `settled` is false when they never came to that: the
// series is too short for how long it remembers, and `ratio` is too low.
struct BatchVariance {
  double ratio = 0;
  double degrees = 0;   // of freedom of the estimate, if the batches' sums are normal
  double kurtosis = 3;  // of the batches' sums; 3 when normal
  bool settled = true;
};
// deviations: from the mean, so that they add up to 0. weights: how many observations are in
// each; the same length, ≥ 0.
BatchVariance batch_variance(const std::vector<double>& deviations,
                             const std::vector<double>& weights, double min_batches);

// The half width of a 95 % interval in standard errors when these are estimated with so many
// degrees of freedom (≥ 2; may be a fraction): the 97.5 % point of Student's t, good to 1 % at 2
// and to 0.1 % from 3. kNormal95 for infinitely many.
double student95(double degrees);
inline constexpr double kNormal95 = 1.959963984540054;

}  // namespace carronade::stats
