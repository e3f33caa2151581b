#include "base/csv_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <unordered_set>

#include "base/text.h"

namespace carronade::base {

namespace {

// Where a run of bytes without meaning ends in a field without quotes.
constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (const unsigned char c : {',', '\n', '\r', '"'}) stops[c] = true;
  return stops;
}();

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Expected<CsvReader> CsvReader::open(const std::string& path) {
  CsvReader reader;
  reader.path_ = printable(path);
  reader.fd_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (!reader.fd_.valid() || ::fstat(reader.fd_.get(), &facts) != 0) {
    return unexpected(fmt::format("data file {}: {}", reader.path_, errno_text(errno)));
  }
  if (!S_ISREG(facts.st_mode)) {
    return unexpected(fmt::format(
        "data file {}: not a regular file; it is read more than once, so save it to one",
        reader.path_));
  }
  reader.buffer_.resize(kBufferBytes);
  if (auto names = reader.read_names(); !names) return unexpected(names.error());
  return reader;
}

Expected<void> CsvReader::read_names() {
  peek();
  const std::string_view start(buffer_.data(), filled_);
  if (start.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    return unexpected(fmt::format("data file {}: it is UTF-16; save it as UTF-8", path_));
  }
  CsvRow row;
  bool empty = true;
  FieldEnd end = FieldEnd::kLine;
  while (empty && end == FieldEnd::kLine) end = read_row(row, empty);
  if (end == FieldEnd::kFault) return unexpected(fault_);
  if (empty) {
    return unexpected(
        fmt::format("data file {}: it is empty; its first line names the columns", path_));
  }
  std::unordered_set<std::string> different;
  for (size_t i = 0; i < row.size(); ++i) {
    const std::string name(trim(row[i]));
    if (name.empty()) {
      return unexpected(
          fmt::format("data file {}:{}: column {} has no name; the first line names "
                      "the columns",
                      path_, row_line_, i + 1));
    }
    if (!different.insert(name).second) {
      return unexpected(fmt::format("data file {}:{}: two columns have the name {}", path_,
                                    row_line_, printable(name)));
    }
    columns_.push_back(name);
  }
  first_row_offset_ = buffer_offset_ + position_;
  first_row_line_ = line_;
  return {};
}

Expected<bool> CsvReader::next(CsvRow& row) {
  bool empty = true;
  FieldEnd end = FieldEnd::kLine;
  while (empty && end == FieldEnd::kLine) end = read_row(row, empty);
  if (end == FieldEnd::kFault) return unexpected(fault_);
  if (empty) return false;
  if (row.size() != columns_.size()) {
    return unexpected(fmt::format("data file {}: {} field{}, but there are {} columns",
                                  place(row_line_), row.size(), row.size() == 1 ? "" : "s",
                                  columns_.size()));
  }
  return true;
}

void CsvReader::seek(uint64_t offset, size_t piece_bytes) {
  piece_bytes_ = std::clamp<size_t>(piece_bytes, 1, kBufferBytes);
  line_known_ = offset == first_row_offset_;
  line_ = first_row_line_;
  fault_.clear();
  if (offset >= buffer_offset_ && offset <= buffer_offset_ + filled_) {
    position_ = static_cast<size_t>(offset - buffer_offset_);
    return;
  }
  buffer_offset_ = offset;
  position_ = filled_ = 0;
}

// `empty`: a line with nothing on it, or nothing before the end of the file.
CsvReader::FieldEnd CsvReader::read_row(CsvRow& row, bool& empty) {
  row.text_.clear();
  row.ends_.clear();
  row_offset_ = buffer_offset_ + position_;
  row_line_ = line_;
  FieldEnd end = FieldEnd::kComma;
  bool quoted = false;
  while (end == FieldEnd::kComma) {
    quoted = peek() == '"';
    end = quoted ? read_quoted(row) : read_field(row);
    row.ends_.push_back(row.text_.size());
    if (row.ends_.size() > kMaxRowFields) {
      return fault_at(row_line_, "a row of more than 100,000 fields");
    }
  }
  empty = row.ends_.size() == 1 && row.text_.empty() && !quoted;
  return end;
}

CsvReader::FieldEnd CsvReader::read_field(CsvRow& row) {
  for (;;) {
    if (row.text_.size() > kMaxRowBytes) return fault_at(row_line_, "a row of more than 16 MiB");
    const int byte = peek();
    if (byte < 0) return end_of_file();
    if (byte == ',') {
      ++position_;
      return FieldEnd::kComma;
    }
    if (byte == '\n') {
      ++position_;
      ++line_;
      return FieldEnd::kLine;
    }
    if (byte == '"') {
      return fault_at(line_,
                      "a quote inside of a field; put the field in quotes and double this one");
    }
    if (byte == '\r') {
      // Part of a line's end, or a byte like others.
      ++position_;
      const int behind = peek();
      if (behind != '\n' && behind >= 0) row.text_ += '\r';
      continue;
    }
    size_t run_end = position_ + 1;
    while (run_end < filled_ && !kStops[static_cast<unsigned char>(buffer_[run_end])]) ++run_end;
    row.text_.append(buffer_.data() + position_, run_end - position_);
    position_ = run_end;
  }
}

CsvReader::FieldEnd CsvReader::read_quoted(CsvRow& row) {
  const uint64_t opened_line = line_;
  ++position_;
  for (;;) {
    const int byte = peek();
    if (byte < 0) {
      const FieldEnd end = end_of_file();
      return end == FieldEnd::kFault ? end
                                     : fault_at(opened_line,
                                                "the quote that opens here is not "
                                                "closed before the file ends");
    }
    if (byte == '"') {
      ++position_;
      if (peek() != '"') return end_quoted();
    }
    // The quote is the second of a pair, or what goes on up to the next one.
    const char* const begin = buffer_.data() + position_;
    const char* const filled_end = buffer_.data() + filled_;
    const char* const end = std::find(begin + 1, filled_end, '"');
    row.text_.append(begin, end);
    line_ += static_cast<uint64_t>(std::count(begin, end, '\n'));
    position_ += static_cast<size_t>(end - begin);
    if (row.text_.size() > kMaxRowBytes) {
      return fault_at(opened_line, "a row of more than 16 MiB; is the quote here closed?");
    }
  }
}

// Behind the closing quote.
CsvReader::FieldEnd CsvReader::end_quoted() {
  int byte = peek();
  if (byte == '\r') {
    ++position_;
    byte = peek();
    if (byte >= 0 && byte != '\n') byte = '\r';
  }
  if (byte < 0) return end_of_file();
  if (byte != ',' && byte != '\n') {
    return fault_at(line_, "text behind a closing quote; a quote inside of a field is doubled");
  }
  ++position_;
  if (byte == ',') return FieldEnd::kComma;
  ++line_;
  return FieldEnd::kLine;
}

CsvReader::FieldEnd CsvReader::fault_at(uint64_t line, std::string_view text) {
  fault_ = fmt::format("data file {}: {}", place(line), text);
  return FieldEnd::kFault;
}

std::string CsvReader::place(uint64_t line) const {
  if (line_known_) return fmt::format("{}:{}", path_, line);
  return fmt::format("{}, in the row at byte {}", path_, row_offset_);
}

CsvReader::FieldEnd CsvReader::end_of_file() {
  return fault_.empty() ? FieldEnd::kFile : FieldEnd::kFault;
}

int CsvReader::peek() {
  if (position_ == filled_ && !refill()) return -1;
  return static_cast<unsigned char>(buffer_[position_]);
}

// Keeps what is there when the file is at its end: a small file stays in memory as a whole.
bool CsvReader::refill() {
  const uint64_t offset = buffer_offset_ + filled_;
  if (offset >= end_offset_) return false;
  for (;;) {
    const ssize_t n = ::pread(fd_.get(), buffer_.data(), piece_bytes_, static_cast<off_t>(offset));
    if (n > 0) {
      buffer_offset_ = offset;
      filled_ = static_cast<size_t>(n);
      position_ = 0;
      return true;
    }
    if (n == 0) {
      end_offset_ = offset;
      return false;
    }
    if (errno != EINTR) {
      fault_ = fmt::format("data file {}: read: {}", path_, errno_text(errno));
      return false;
    }
  }
}

}  // namespace carronade::base
