#include "load/data_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace carronade::load {

Expected<std::unique_ptr<DataCursor>> DataCursor::open(const DataSpec& spec, uint64_t seed) {
  auto reader = base::CsvReader::open(spec.file);
  if (!reader) return unexpected(reader.error());
  return std::unique_ptr<DataCursor>(new DataCursor(std::move(*reader), spec.mode, seed));
}

Expected<void> DataCursor::check(const std::vector<size_t>& line_columns) {
  base::CsvRow row;
  uint64_t last_offset = reader_.first_row_offset();
  for (;;) {
    const Expected<bool> found = reader_.next(row);
    if (!found) return unexpected(found.error());
    const uint64_t offset = reader_.row_offset();
    longest_row_bytes_ = std::max(longest_row_bytes_, static_cast<size_t>(offset - last_offset));
    last_offset = offset;
    if (!*found) break;
    ++rows_;
    if (auto good = check_line_values(row, line_columns); !good) return good;
    if (mode_ == DataMode::kShuffle) offsets_.push_back(offset);
  }
  if (rows_ == 0) {
    return unexpected(
        fmt::format("data file {}: it has no rows below the names of its columns", reader_.path()));
  }
  reader_.seek(reader_.first_row_offset());
  return {};
}

Expected<void> DataCursor::check_line_values(const base::CsvRow& row,
                                             const std::vector<size_t>& line_columns) const {
  constexpr std::string_view kBreaks("\r\n\0", 3);
  for (const size_t column : line_columns) {
    if (row[column].find_first_of(kBreaks) == std::string_view::npos) continue;
    return unexpected(fmt::format(
        "data file {}:{}: column {} has a line break or a NUL, which a header cannot carry",
        reader_.path(), reader_.row_line(), base::printable(reader_.columns()[column])));
  }
  return {};
}

bool DataCursor::take(base::CsvRow& row) {
  const std::lock_guard lock(mutex_);
  if (over_) return false;
  const Expected<bool> found = mode_ == DataMode::kShuffle ? next_shuffled(row) : next_in_turn(row);
  over_ = !found || !*found;
  if (!found) error_ = found.error().text;
  return !over_;
}

std::string DataCursor::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

Expected<bool> DataCursor::next_in_turn(base::CsvRow& row) {
  for (;;) {
    Expected<bool> found = reader_.next(row);
    if (!found) return found;
    if (*found) {
      ++given_;
      return true;
    }
    if (given_ < rows_) {
      return unexpected(fmt::format(
          "data file {}: it ends after {} of its {} rows: it was changed while the run went on",
          reader_.path(), base::format_thousands(given_), base::format_thousands(rows_)));
    }
    if (mode_ == DataMode::kOnce) return false;
    given_ = 0;
    reader_.seek(reader_.first_row_offset());
  }
}

// One step of Fisher and Yates's shuffle a row, so that no round begins with a long wait. Each
// round goes on from the order of the one before, which makes it no less even.
Expected<bool> DataCursor::next_shuffled(base::CsvRow& row) {
  const size_t chosen = next_ + static_cast<size_t>(draws_.below(offsets_.size() - next_));
  std::swap(offsets_[next_], offsets_[chosen]);
  reader_.seek(offsets_[next_], longest_row_bytes_);
  Expected<bool> found = reader_.next(row);
  if (found && !*found) {
    return unexpected(
        fmt::format("data file {}: it ends before byte {}, where a row began: it was changed while "
                    "the run went on",
                    reader_.path(), base::format_thousands(offsets_[next_] + 1)));
  }
  next_ = (next_ + 1) % offsets_.size();
  return found;
}

}  // namespace carronade::load
