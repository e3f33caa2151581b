// HOT. Let φ be the angle since the rate was least, M the expected arrivals since then with 2π to
// a period, and e = |to - from| / (from + to). Then M = φ - e sin φ, which is Kepler's equation.
#include "pace/sine_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carronade::pace {

namespace {

constexpr double kPi = std::numbers::pi;

// x - sin x without the cancellation near 0, where a rate of 0 leaves nothing else; x ≥ 0.
double minus_sine(double x, double sine) {
  if (x > 0.5) return x - sine;
  const double y = x * x;
  const double rest = 1 - y / 72 * (1 - y / 110 * (1 - y / 156));
  return x * y / 6 * (1 - y / 20 * (1 - y / 42 * rest));
}

// φ of M in (0, π], for e in [0, 1] and `rest` = 1 - e. A starter good to 4 digits and one step
// of the fifth order: Markley, "Kepler equation solver", Celestial Mechanics 63 (1995). It needs
// no loop and no memory of the arrival before, so that an arrival's time depends on it alone.
double solve_kepler(double m, double e, double rest) {
  const double alpha = (3 * kPi * kPi + 1.6 * kPi * (kPi - m) / (1 + e)) / (kPi * kPi - 6);
  const double d = 3 * rest + alpha * e;
  const double q = 2 * alpha * d * rest - m * m;
  const double r = (3 * alpha * d * (d - rest) + m * m) * m;
  // A third of the time that std::cbrt takes.
  const double w = std::exp(2.0 / 3 * std::log(r + std::sqrt(std::max(q * q * q + r * r, 0.0))));
  const double phi = (2 * r * w / (w * w + w * q + q * q) + m) / d;

  // Of the half angle, because 1 - cos φ would cancel near 0.
  const double half_sine = std::sin(phi / 2);
  const double half_cosine = std::cos(phi / 2);
  const double sine = 2 * half_sine * half_cosine;
  const double versine = 2 * half_sine * half_sine;
  // f0 + f1 · (δ + a δ² + b δ³ + c δ⁴) = 0, solved for δ by reversion of the series: this needs one
  // division where nested Newton steps need three, each waiting for the one before.
  const double slope = 1 / (rest + e * versine);
  const double h = (m - rest * phi - e * minus_sine(phi, sine)) * slope;
  const double a = e * sine / 2 * slope;
  const double b = (e - e * versine) / 6 * slope;
  const double c = -e * sine / 24 * slope;
  return phi + h * (1 - h * (a - h * (2 * a * a - b - h * (5 * a * (a * a - b) + c))));
}

}  // namespace

double sine_count(const RateSegment& segment, int64_t time_ns) {
  const double period_s = static_cast<double>(segment.period_ns) / 1e9;
  const int64_t whole_periods = time_ns / segment.period_ns;
  const auto periods = static_cast<double>(whole_periods);
  const auto within_ns = static_cast<double>(time_ns % segment.period_ns);
  const double angle = 2 * kPi * within_ns / static_cast<double>(segment.period_ns);
  const double half_swing = (segment.to - segment.from) / 2;
  const double swing = half_swing * minus_sine(angle, std::sin(angle)) / (2 * kPi);
  return periods * ((segment.from + segment.to) / 2 * period_s) + segment.from * within_ns / 1e9 +
         swing * period_s;
}

double sine_time_ns(const RateSegment& segment, double count) {
  const auto period_ns = static_cast<double>(segment.period_ns);
  const double sum = segment.from + segment.to;
  const double per_period = sum / 2 * (period_ns / 1e9);
  // Periods from the start to where the rate is least.
  const double least = segment.to < segment.from ? 0.5 : 0;
  const double each = 1 / per_period;
  const double periods = std::floor(count * each - least + 0.5);
  // One rounding, not three: where the rate is 0 an error here is felt by its cube root.
  const double beyond = std::fma(-periods, per_period, count) - least * per_period;
  const double m = std::min(std::abs(beyond) * each * (2 * kPi), kPi);
  double phi = 0;
  // Smaller ones would lose all their digits on the way; their angle is less than 1e-16.
  if (m > 1e-50) {
    phi = solve_kepler(m, std::abs(segment.to - segment.from) / sum,
                       2 * std::min(segment.from, segment.to) / sum);
  }
  const double within_ns =
      std::copysign(phi * (1 / (2 * kPi)), beyond) * period_ns + least * period_ns;
  return periods * period_ns + within_ns;
}

}  // namespace carronade::pace
