#include "dialects/vegeta/vegeta_csv_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/text.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {
namespace {

enum Column : size_t {
  kTimestamp,
  kCode,
  kLatency,
  kBytesOut,
  kBytesIn,
  kError,
  kBody,
  kAttack,
  kSeq,
  kMethod,
  kUrl,
  kHeaders,
  kColumns,
};

// Go's rule for when a field is quoted.
void append_field(std::string_view text, std::string& out) {
  const bool quoted = text == "\\." || text.find_first_of(",\"\r\n") != std::string_view::npos ||
                      text.starts_with(' ') || text.starts_with('\t');
  if (!quoted) {
    out += text;
    return;
  }
  out += '"';
  for (const char byte : text) {
    if (byte == '"') out += '"';
    out += byte;
  }
  out += '"';
}

bool is_line_end(std::string_view text) { return text.empty() || text == "\n" || text == "\r\n"; }

template <class Int>
bool set_whole(std::string_view text, Int& to) {
  const std::optional<Int> number = parse_whole<Int>(text);
  if (number) to = *number;
  return number.has_value();
}

}  // namespace

void CsvEncoder::encode(const Result& result, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{},", result.timestamp_unix_ns, result.code,
                 result.latency_ns, result.bytes_out, result.bytes_in);
  append_field(result.error, out);
  out += ',';
  out += base::base64(result.body);
  out += ',';
  append_field(result.attack, out);
  fmt::format_to(std::back_inserter(out), ",{},", result.seq);
  append_field(result.method, out);
  out += ',';
  append_field(result.url, out);
  out += ',';
  if (result.has_headers) {
    block_.clear();
    const HeaderOrder order(result.headers, order_);
    for (size_t i = 0; i < result.headers.size(); ++i) {
      // As Go does: a block cannot say the other names, which files in JSON and gob may have.
      if (!base::is_token(order.at(i).name)) continue;
      block_ += order.at(i).name;
      block_ += ": ";
      const size_t begin = block_.size();
      block_ += base::trim(order.at(i).value);
      // A line break in a value would make another header of its rest.
      std::replace(block_.begin() + static_cast<ptrdiff_t>(begin), block_.end(), '\n', ' ');
      std::replace(block_.begin() + static_cast<ptrdiff_t>(begin), block_.end(), '\r', ' ');
      block_ += "\r\n";
    }
    block_ += "\r\n";
    out += base::base64(block_);
  }
  out += '\n';
}

Expected<bool> CsvDecoder::read_record(std::string_view& record) {
  const std::string_view old = input_.rest().substr(0, consumed_);
  line_ += static_cast<uint64_t>(std::count(old.begin(), old.end(), '\n'));
  input_.skip(std::exchange(consumed_, 0));
  size_t searched = 0;
  bool quoted = false;
  while (true) {
    const std::string_view rest = input_.rest();
    for (; searched < rest.size(); ++searched) {
      if (rest[searched] == '"') quoted = !quoted;
      if (rest[searched] != '\n' || quoted) continue;
      record = rest.substr(0, searched + 1);
      consumed_ = record.size();
      return true;
    }
    if (searched > ResultInput::kMostRecordBytes) {
      return unexpected(fmt::format("line {}: longer than a result can be", line_));
    }
    if (input_.more()) continue;
    if (input_.stopped()) return false;
    if (!input_.read_error().empty()) return unexpected("read: " + input_.read_error());
    record = input_.rest();
    consumed_ = record.size();
    return !record.empty();
  }
}

bool CsvDecoder::split(std::string_view record) {
  size_t count = 0;
  while (true) {
    if (count == fields_.size()) fields_.emplace_back();
    std::string& field = fields_[count++];
    field.clear();
    record.remove_prefix(std::min(record.find_first_not_of(" \t"), record.size()));
    if (record.starts_with('"')) {
      record.remove_prefix(1);
      while (true) {
        const size_t quote = record.find('"');
        if (quote == std::string_view::npos) return false;
        field += record.substr(0, quote);
        record.remove_prefix(quote + 1);
        if (!record.starts_with('"')) break;
        field += '"';
        record.remove_prefix(1);
      }
      if (!record.starts_with(',') && !is_line_end(record)) return false;
    } else {
      size_t end = std::min(record.find(','), record.size());
      if (end == record.size()) {
        if (record.ends_with('\n')) --end;
        if (end > 0 && record[end - 1] == '\r') --end;
      }
      field = record.substr(0, end);
      if (field.find('"') != std::string::npos) return false;
      record.remove_prefix(end);
    }
    if (!record.starts_with(',')) break;
    if (count == kColumns + 1) break;  // too many already
    record.remove_prefix(1);
  }
  fields_.resize(count);
  return true;
}

std::string_view CsvDecoder::take_headers(Result& result) {
  if (fields_[kHeaders].empty()) return "";
  result.has_headers = true;
  if (detail_ == Detail::kFigures) return "";
  if (!decode_base64(fields_[kHeaders], block_)) return "column 12 (headers) is no base64";
  HeaderAdder adder(result.headers);
  for (const std::string_view line : base::split(block_, '\n')) {
    if (base::trim(line).empty()) continue;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return "column 12 (headers) has a line without a colon";
    if (!adder.add(base::trim(line.substr(0, colon)), base::trim(line.substr(colon + 1)))) {
      return "column 12 has too many headers";
    }
  }
  return "";
}

std::string_view CsvDecoder::take_fields(Result& result) {
  if (!set_whole(fields_[kTimestamp], result.timestamp_unix_ns)) {
    return "column 1 (timestamp) is no number of nanoseconds";
  }
  if (!set_whole(fields_[kCode], result.code)) return "column 2 (code) is no status code";
  if (!set_whole(fields_[kLatency], result.latency_ns)) {
    return "column 3 (latency) is no number of nanoseconds";
  }
  if (!set_whole(fields_[kBytesOut], result.bytes_out)) return "column 4 (bytes out) is no number";
  if (!set_whole(fields_[kBytesIn], result.bytes_in)) return "column 5 (bytes in) is no number";
  if (!set_whole(fields_[kSeq], result.seq)) return "column 9 (sequence) is no number";
  result.zone_minutes = local_zone_minutes(result.timestamp_unix_ns);
  result.error.swap(fields_[kError]);
  result.attack.swap(fields_[kAttack]);
  result.method.swap(fields_[kMethod]);
  result.url.swap(fields_[kUrl]);
  result.has_body = true;
  if (detail_ == Detail::kAll && !decode_base64(fields_[kBody], result.body)) {
    return "column 7 (body) is no base64";
  }
  return take_headers(result);
}

Expected<bool> CsvDecoder::next(Result& result) {
  std::string_view record;
  do {
    Expected<bool> there = read_record(record);
    if (!there || !*there) return there;
  } while (is_line_end(record));
  const auto refuse = [this](std::string_view why) {
    return unexpected(fmt::format("line {}: {}", line_, why));
  };
  if (!split(record)) return refuse("a quote where none may be");
  if (fields_.size() != kColumns) {
    return refuse(fields_.size() > kColumns ? "more than 12 columns"
                                            : fmt::format("{} of the 12 columns", fields_.size()));
  }
  clear_result(result);
  const std::string_view wrong = take_fields(result);
  if (!wrong.empty()) return refuse(wrong);
  return true;
}

}  // namespace carronade::dialects::vegeta
