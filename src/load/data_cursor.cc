#include "load/data_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace carronade::load {

Expected<std::unique_ptr<DataCursor>> DataCursor::open(const DataSpec& spec, uint64_t seed) {
  auto reader = base::CsvReader::open(spec.file);
  if (!reader) return unexpected(reader.error());
  return std::unique_ptr<DataCursor>(new DataCursor(std::move(*reader), spec.mode, seed));
}

Expected<void> DataCursor::check(const std::vector<size_t>& line_columns) {
  base::CsvRow row;
  uint64_t last_offset = reader_.first_row_offset();
  bool any = false;
  for (;;) {
    const Expected<bool> found = reader_.next(row);
    if (!found) return unexpected(found.error());
    const uint64_t offset = reader_.row_offset();
    longest_row_bytes_ = std::max(longest_row_bytes_, static_cast<size_t>(offset - last_offset));
    last_offset = offset;
    if (!*found) break;
    any = true;
    if (auto good = check_line_values(row, line_columns); !good) return good;
    if (mode_ == DataMode::kShuffle) offsets_.push_back(offset);
  }
  if (!any) {
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
  if (mode_ == DataMode::kShuffle) return take_shuffled(row);
  if (over_) return false;
  Expected<bool> found = reader_.next(row);
  if (found && !*found && mode_ == DataMode::kSequence) {
    reader_.seek(reader_.first_row_offset());
    found = reader_.next(row);
  }
  over_ = !found || !*found;
  return !over_;
}

// One step of Fisher and Yates's shuffle a row, so that no round begins with a long wait. Each
// round goes on from the order of the one before, which makes it no less even.
bool DataCursor::take_shuffled(base::CsvRow& row) {
  const size_t chosen = next_ + static_cast<size_t>(draws_.below(offsets_.size() - next_));
  std::swap(offsets_[next_], offsets_[chosen]);
  reader_.seek(offsets_[next_], longest_row_bytes_);
  next_ = (next_ + 1) % offsets_.size();
  const Expected<bool> found = reader_.next(row);
  return found && *found;
}

}  // namespace carronade::load
