// The statistics of ab's tables from the records of a run. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dialects/ab/ab_tally.h"

namespace carronade::dialects::ab {

// ns. The deviation is that of a sample (n − 1), 0 for a single one.
struct AbRow {
  int64_t min = 0;
  int64_t mean = 0;
  double deviation = 0;
  int64_t median = 0;
  int64_t max = 0;
};

struct AbTimes {
  AbRow connect;
  AbRow processing;  // total − connect
  AbRow waiting;
  AbRow total;
};

// Sorts `records` by their total, as ab's tables and files have them. `quirks`: ab's median,
// which is one rank too high. At least one record.
AbTimes ab_times(std::vector<AbRecord>& records, bool quirks);

// Index of the record within which `percent` (0 … 100) of `count` sorted ones lie: nearest rank;
// with `quirks` ab's own of the table, which is a rank higher.
size_t ab_rank(size_t count, unsigned percent, bool quirks);
// The same of the CSV file, for which ab rounds in another way.
size_t ab_csv_rank(size_t count, unsigned percent, bool quirks);

// Whole milliseconds, half up.
inline int64_t round_ms(int64_t ns) { return (ns + 500'000) / 1'000'000; }

}  // namespace carronade::dialects::ab
