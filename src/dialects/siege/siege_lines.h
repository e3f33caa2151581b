// The line that siege prints for each hit, and the way there: a record that the worker puts into
// its queue and the writer's thread makes text of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dialects/siege/siege_settings.h"

namespace carronade::dialects::siege {

// One hit; the method and what is shown of the URL follow it in a record.
struct HitRecord {
  int64_t time_ns = 0;
  int64_t unix_s = 0;  // only where a line has a date
  uint64_t bytes = 0;
  int64_t line = 0;   // in the list of URLs
  uint32_t user = 0;  // from 0
  uint16_t status = 0;
  uint8_t method_size = 0;
  bool http_1_0 = false;
  bool unchanged = false;  // 304 to a conditional request: the cached copy is used
};

// The first byte of a record says what it is.
inline constexpr std::string_view kHitMark = "H";    // HitRecord, method, URL
inline constexpr std::string_view kErrorMark = "E";  // text, for standard error
inline constexpr std::string_view kShownMark = "S";  // text as it is, for standard output

// The bytes of a HitRecord in a queue, and back; `rest` must be what came behind the mark.
std::string_view bytes_of(const HitRecord& record);
bool read_hit(std::string_view rest, HitRecord& record, std::string_view& method,
              std::string_view& url);

// Appends the line, with its line end.
void append_hit_line(const HitRecord& record, std::string_view method, std::string_view url,
                     const SiegeSettings& settings, std::string& out);

// "2024-01-31 10:00:00" in the local time.
std::string local_time(int64_t unix_s);

// "[error] text", the word in colour, as siege writes it to anything.
std::string notice(std::string_view level, std::string_view text);

}  // namespace carronade::dialects::siege
