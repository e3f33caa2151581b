#include "dialects/ab/ab_times.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace carronade::dialects::ab {
namespace {

int64_t nth(std::vector<int64_t>& values, size_t index) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

int64_t median_of(std::vector<int64_t>& values, bool quirks) {
  const size_t count = values.size();
  const size_t half = count / 2;
  const bool odd = count % 2 == 1;
  // The two ranks whose mean it is; ab takes those above where there is one in the middle.
  size_t low = odd ? half : half - 1;
  size_t high = half;
  if (quirks) {
    low = half;
    high = odd && count > 1 ? half + 1 : half;
  }
  const int64_t first = nth(values, low);
  return low == high ? first : (first + nth(values, high)) / 2;
}

template <class Pick>
AbRow row_of(const std::vector<AbRecord>& records, std::vector<int64_t>& values, bool quirks,
             Pick pick) {
  values.clear();
  long double sum = 0;
  for (const AbRecord& record : records) {
    values.push_back(std::max<int64_t>(pick(record), 0));
    sum += static_cast<long double>(values.back());
  }
  const auto count = static_cast<long double>(values.size());
  const long double mean = sum / count;
  long double squares = 0;
  for (const int64_t value : values) {
    const long double off = static_cast<long double>(value) - mean;
    squares += off * off;
  }
  AbRow row;
  row.mean = static_cast<int64_t>(mean);
  if (values.size() > 1) row.deviation = static_cast<double>(std::sqrt(squares / (count - 1)));
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  row.min = *least;
  row.max = *most;
  row.median = median_of(values, quirks);
  return row;
}

}  // namespace

AbTimes ab_times(std::vector<AbRecord>& records, bool quirks) {
  CHECK(!records.empty());
  std::sort(records.begin(), records.end(),
            [](const AbRecord& a, const AbRecord& b) { return a.total_ns < b.total_ns; });
  std::vector<int64_t> values;
  values.reserve(records.size());
  const auto row = [&](auto pick) { return row_of(records, values, quirks, pick); };
  return {.connect = row([](const AbRecord& r) { return r.connect_ns; }),
          .processing = row([](const AbRecord& r) { return r.total_ns - r.connect_ns; }),
          .waiting = row([](const AbRecord& r) { return r.wait_ns; }),
          .total = row([](const AbRecord& r) { return r.total_ns; })};
}

size_t ab_rank(size_t count, unsigned percent, bool quirks) {
  if (percent >= 100) return count - 1;
  if (quirks) return count * percent / 100;
  const size_t rank = (count * percent + 99) / 100;
  return rank == 0 ? 0 : rank - 1;
}

size_t ab_csv_rank(size_t count, unsigned percent, bool quirks) {
  if (!quirks || percent == 0 || percent >= 100) return ab_rank(count, percent, false);
  // ab reads behind the end for some small counts.
  return std::min((2 * count * percent + 100) / 200, count - 1);
}

}  // namespace carronade::dialects::ab
