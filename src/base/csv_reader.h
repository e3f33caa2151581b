// A CSV file read row by row (RFC 4180), whatever its size: commas, quoted fields with doubled
// quotes and line breaks inside, lines that end with CR LF or LF, a byte order mark of UTF-8. The
// first row names the columns; blanks around a name do not belong to it. Empty lines are skipped,
// as spreadsheets leave them at the end (an empty value in a row of its own is written ""). Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::base {

// The fields of one row. Used again and again, it allocates nothing once it has grown.
class CsvRow {
 public:
  size_t size() const { return ends_.size(); }
  // Until the row is read into again.
  std::string_view operator[](size_t field) const {
    const size_t begin = field == 0 ? 0 : ends_[field - 1];
    return std::string_view(text_).substr(begin, ends_[field] - begin);
  }

 private:
  friend class CsvReader;
  std::string text_;  // all fields, back to back
  std::vector<size_t> ends_;
};

class CsvReader {
 public:
  // Opens a regular file and reads the names. Errors name the path, and the line of the fault.
  static Expected<CsvReader> open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<std::string>& columns() const { return columns_; }

  // The next row, which has a field for each column; false: the file is at its end. After an
  // error, which names path and line, nothing more can be read but by seek().
  Expected<bool> next(CsvRow& row);

  // Where the row that next() gave last begins: its first byte, and its line, counted from 1.
  // After seek() to a row that is not the first no line is known, and errors name the byte.
  uint64_t row_offset() const { return row_offset_; }
  uint64_t row_line() const { return row_line_; }
  // What next() gives next: the row that begins at this byte. The file is then read in pieces of
  // `piece_bytes`, at most 64 KiB. Bytes that are in memory anyway are not read again.
  void seek(uint64_t offset, size_t piece_bytes = kBufferBytes);
  // Of the first row below the names.
  uint64_t first_row_offset() const { return first_row_offset_; }

  static constexpr size_t kBufferBytes = 64 * 1024;
  static constexpr size_t kMaxRowBytes = 16 * 1024 * 1024;  // more is most likely an open quote
  static constexpr size_t kMaxRowFields = 100'000;          // each costs memory, an empty one too

 private:
  enum class FieldEnd { kComma, kLine, kFile, kFault };

  CsvReader() = default;
  Expected<void> read_names();
  FieldEnd read_row(CsvRow& row, bool& empty);
  FieldEnd read_field(CsvRow& row);
  FieldEnd read_quoted(CsvRow& row);
  FieldEnd end_quoted();
  FieldEnd fault_at(uint64_t line, std::string_view text);
  std::string place(uint64_t line) const;
  FieldEnd end_of_file();
  int peek();  // the next byte, or -1 at the end of the file or when it cannot be read
  bool refill();

  std::string path_;
  UniqueFd fd_;
  std::vector<std::string> columns_;
  std::string fault_;
  std::vector<char> buffer_;
  uint64_t buffer_offset_ = 0;  // of its first byte in the file
  size_t position_ = 0;         // in the buffer
  size_t filled_ = 0;
  size_t piece_bytes_ = kBufferBytes;
  uint64_t end_offset_ = UINT64_MAX;  // the file's size, once it is known
  uint64_t line_ = 1;
  bool line_known_ = true;
  uint64_t row_offset_ = 0;
  uint64_t row_line_ = 1;
  uint64_t first_row_offset_ = 0;
  uint64_t first_row_line_ = 1;
};

}  // namespace carronade::base
