#include "dialects/vegeta/vegeta_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iterator>
#include <limits>

namespace carronade::dialects::vegeta {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Bytes of the UTF-8 sequence at the front of `text`; 0 when there is no well-formed one.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is beyond U+10FFFF.
  const unsigned char second = byte(1);
  if (first == 0xe0 && second < 0xa0) return 0;
  if (first == 0xed && second > 0x9f) return 0;
  if (first == 0xf0 && second < 0x90) return 0;
  if (first == 0xf4 && second > 0x8f) return 0;
  return length;
}

void append_escaped(unsigned char byte, std::string& out) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
  }
}

bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\' && byte != '<' && byte != '>' &&
         byte != '&';
}

// A number of exactly `digits` digits at the front of `text`, which is taken off; -1 for none.
int take_number(std::string_view& text, size_t digits) {
  if (text.size() < digits) return -1;
  int number = 0;
  for (const char digit : text.substr(0, digits)) {
    if (digit < '0' || digit > '9') return -1;
    number = number * 10 + (digit - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char byte) {
  if (!text.starts_with(byte)) return false;
  text.remove_prefix(1);
  return true;
}

// ".25" as nanoseconds, 0 when there is no point; -1 for a point without digits. Digits below the
// nanosecond are cut off.
int64_t take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  int64_t ns = 0;
  int64_t unit = kSecond;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    unit /= 10;
    ns += unit * (text[digits] - '0');
  }
  text.remove_prefix(digits);
  return digits == 0 ? -1 : ns;
}

// "Z" or "+01:00", to the end; nothing for other texts.
std::optional<int> zone_of(std::string_view text) {
  if (text == "Z" || text == "z") return -1;
  const bool west = text.starts_with('-');
  if (!west && !text.starts_with('+')) return std::nullopt;
  text.remove_prefix(1);
  const int hours = take_number(text, 2);
  if (!take(text, ':')) return std::nullopt;
  const int minutes = take_number(text, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  const int zone = hours * 60 + minutes;
  if (west && zone == 1) return std::nullopt;  // stands for UTC in a Result
  return west ? -zone : zone;
}

int base64_value(char byte) {
  if (byte >= 'A' && byte <= 'Z') return byte - 'A';
  if (byte >= 'a' && byte <= 'z') return byte - 'a' + 26;
  if (byte >= '0' && byte <= '9') return byte - '0' + 52;
  return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  size_t begin = 0;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (is_plain(byte)) {
      ++i;
      continue;
    }
    out += text.substr(begin, i - begin);
    const size_t length = utf8_length(text.substr(i));
    const std::string_view character = text.substr(i, length);
    if (length == 0) {
      out += "\\ufffd";
    } else if (length == 1) {
      append_escaped(byte, out);
    } else if (character == "\u2028" || character == "\u2029") {
      // Line ends in the eyes of JavaScript.
      out += character == "\u2028" ? "\\u2028" : "\\u2029";
    } else {
      out += character;
    }
    i += length == 0 ? 1 : length;
    begin = i;
  }
  out += text.substr(begin);
  out += '"';
}

void append_json_number(double number, std::string& out) {
  if (!std::isfinite(number)) number = 0;
  const double size = std::fabs(number);
  const bool exponent = size != 0 && (size < 1e-6 || size >= 1e21);
  std::array<char, 64> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), number,
                    exponent ? std::chars_format::scientific : std::chars_format::fixed);
  std::string_view digits(text.data(), static_cast<size_t>(end - text.data()));
  const size_t mark = digits.find("e-0");
  if (mark == std::string_view::npos) {
    out += digits;
  } else {  // 1e-07 is 1e-7 there
    out += digits.substr(0, mark + 2);
    out += digits.substr(mark + 3);
  }
}

void append_time(int64_t unix_ns, int zone_minutes, std::string& out) {
  using std::chrono::days;
  const bool utc = zone_minutes == -1 || zone_minutes == 0;
  const int64_t seconds_of_zone = utc ? 0 : int64_t{60} * zone_minutes;
  int64_t seconds = unix_ns / kSecond;
  int64_t ns = unix_ns % kSecond;
  if (ns < 0) {
    ns += kSecond;
    --seconds;
  }
  const std::chrono::seconds wall(seconds + seconds_of_zone);
  const auto day = std::chrono::floor<days>(wall);
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  const int64_t of_day = (wall - day).count();
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
                 static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                 static_cast<unsigned>(date.day()), of_day / 3600, of_day / 60 % 60, of_day % 60);
  if (ns != 0) {
    fmt::format_to(std::back_inserter(out), ".{:09}", ns);
    out.erase(out.find_last_not_of('0') + 1);
  }
  if (utc) {
    out += 'Z';
  } else {
    const int distance = std::abs(zone_minutes);
    fmt::format_to(std::back_inserter(out), "{}{:02}:{:02}", zone_minutes < 0 ? '-' : '+',
                   distance / 60, distance % 60);
  }
}

std::optional<ZonedTime> parse_time(std::string_view text) {
  const int year = take_number(text, 4);
  if (!take(text, '-')) return std::nullopt;
  const int month = take_number(text, 2);
  if (!take(text, '-')) return std::nullopt;
  const int day = take_number(text, 2);
  if (!take(text, 'T') && !take(text, 't')) return std::nullopt;
  const int hour = take_number(text, 2);
  if (!take(text, ':')) return std::nullopt;
  const int minute = take_number(text, 2);
  if (!take(text, ':')) return std::nullopt;
  const int second = take_number(text, 2);
  const int64_t ns = take_fraction(text);
  const std::optional<int> zone = zone_of(text);
  const bool in_range = month > 0 && day > 0 && hour >= 0 && hour <= 23 && minute >= 0 &&
                        minute <= 59 && second >= 0 && second <= 59 && ns >= 0;
  // The years whose nanoseconds fit into 64 bits.
  if (!in_range || !zone || year < 1678 || year > 2261) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t west = *zone == -1 ? 0 : int64_t{-60} * *zone;
  const int64_t seconds = days * 86'400 + hour * 3600 + minute * 60 + second + west;
  ZonedTime time;
  time.unix_ns = seconds * kSecond + ns;
  time.zone_minutes = static_cast<int16_t>(*zone);
  return time;
}

bool decode_base64(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  int count = 0;
  int padding = 0;
  for (const char byte : text) {
    if (byte == '\n' || byte == '\r') continue;
    if (byte == '=') {
      ++padding;
      continue;
    }
    const int value = base64_value(byte);
    if (value < 0 || padding > 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++count % 4 != 0) continue;
    for (const int shift : {16, 8, 0}) out += static_cast<char>(bits >> shift & 0xff);
    bits = 0;
  }
  const int left = count % 4;
  if (left == 0) return padding == 0;
  if (left == 1 || left + padding != 4) return false;
  out += static_cast<char>(bits >> (left == 2 ? 4 : 10) & 0xff);
  if (left == 3) out += static_cast<char>(bits >> 2 & 0xff);
  return true;
}

template <class Int>
std::optional<Int> parse_whole(std::string_view text) {
  Int number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}
template std::optional<int64_t> parse_whole<int64_t>(std::string_view);
template std::optional<uint64_t> parse_whole<uint64_t>(std::string_view);
template std::optional<uint16_t> parse_whole<uint16_t>(std::string_view);

int64_t saturated_difference(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int16_t local_zone_minutes(int64_t unix_ns) {
  const std::time_t seconds = unix_ns / kSecond;
  std::tm wall{};
  if (localtime_r(&seconds, &wall) == nullptr || wall.tm_gmtoff == 0) return -1;
  return static_cast<int16_t>(wall.tm_gmtoff / 60);
}

}  // namespace carronade::dialects::vegeta
