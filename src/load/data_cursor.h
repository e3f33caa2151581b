// The rows of a data file in the order of its mode, each given to one request of one worker. One
// cursor serves all workers: take() and error() may be called from any thread, everything else
// before the threads start. It keeps no row in memory; a shuffled file costs 8 bytes a row.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/csv_reader.h"
#include "carronade/expected.h"
#include "carronade/run_spec.h"
#include "load/draws.h"

namespace carronade::load {

class DataCursor {
 public:
  // Reads the names of the columns. Errors as CsvReader's.
  static Expected<std::unique_ptr<DataCursor>> open(const DataSpec& spec, uint64_t seed);

  const std::string& path() const { return reader_.path(); }
  const std::vector<std::string>& columns() const { return reader_.columns(); }

  // Reads the whole file through once and begins again in front. An error, which names the line,
  // for a row that is no row, for a file without rows, and for a line break or a NUL in a column
  // whose number is one of `line_columns`: its values go into header lines.
  Expected<void> check(const std::vector<size_t>& line_columns);

  // The next row; after check(). False for ever: in mode kOnce behind the last, or since the file
  // was changed after check() so that there is no next row; error() says so then.
  bool take(base::CsvRow& row);
  // Why take() found no row where there was one at the time of check(); "" when that has not
  // happened. From any thread.
  std::string error() const;

 private:
  DataCursor(base::CsvReader reader, DataMode mode, uint64_t seed)
      : reader_(std::move(reader)), mode_(mode), draws_(seed) {}
  Expected<void> check_line_values(const base::CsvRow& row,
                                   const std::vector<size_t>& line_columns) const;
  Expected<bool> next_in_turn(base::CsvRow& row);
  Expected<bool> next_shuffled(base::CsvRow& row);

  mutable std::mutex mutex_;
  base::CsvReader reader_;
  const DataMode mode_;
  bool over_ = false;
  std::string error_;
  uint64_t rows_ = 0;   // that check() found
  uint64_t given_ = 0;  // in this round, not of kShuffle
  Draws draws_;
  std::vector<uint64_t>
      offsets_;  // kShuffle: where each row begins; before next_ as they were used
  size_t next_ = 0;
  size_t longest_row_bytes_ = 0;
};

}  // namespace carronade::load
