// HOT. Fills in templates for one worker: its ids, its random numbers, and its share of what all
// workers draw on, a counter and the rows of a data file.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_reader.h"
#include "load/data_cursor.h"
#include "load/draws.h"
#include "load/template_text.h"

namespace carronade::load {

// What the workers share; outlives their fillers.
struct SharedFills {
  alignas(64) std::atomic<uint64_t> counted{0};
  DataCursor* data = nullptr;  // null: there is no data file
};

// Bytes of the system's random generator.
class SystemRandom {
 public:
  // Appends the text of a UUID of version 4 (RFC 9562 5.4).
  void append_uuid(std::string& out);
  // 128 bits as 22 characters of URL-safe base64 (RFC 4648 5).
  std::array<char, 22> prefix();

 private:
  using Block = std::array<unsigned char, 16>;
  Block draw();

  std::array<unsigned char, 256> pool_{};  // as many as one system call gives without fail
  size_t used_ = sizeof pool_;
};

class TemplateFiller {
 public:
  // `seed` is that of this worker alone.
  TemplateFiller(SharedFills& shared, uint64_t seed)
      : shared_(shared), draws_(seed), prefix_(system_.prefix()) {}

  // Appends the request. False, and nothing appended: the data file has no more rows.
  bool fill(const TemplateText& text, std::string& out);

 private:
  void append_value(const TemplatePiece& piece);
  void append_id();
  void append_column(const TemplatePiece& piece);
  void begin_request(const TemplateText& text);

  SharedFills& shared_;
  Draws draws_;
  SystemRandom system_;
  std::array<char, 22> prefix_;
  uint64_t ids_ = 0;  // made with this prefix

  // Of the request that is being filled in.
  base::CsvRow row_;
  std::string uuid_;
  uint64_t count_ = 0;
  int64_t unix_ms_ = 0;
  std::string values_;  // of its pieces, back to back
  std::vector<size_t> ends_;
};

// Appends `value` to a request target: what may not stand there is percent-encoded.
void append_to_target(std::string_view value, std::string& out);
// Appends `value` to a header line: a line break or a NUL becomes a space.
void append_to_header(std::string_view value, std::string& out);

}  // namespace carronade::load
