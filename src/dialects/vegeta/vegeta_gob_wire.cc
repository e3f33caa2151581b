#include "dialects/vegeta/vegeta_gob_wire.h"

namespace carronade::dialects::vegeta::gob {

void append_unsigned(uint64_t number, std::string& out) {
  if (number < 128) {
    out += static_cast<char>(number);
    return;
  }
  int bytes = 8;
  while (bytes > 1 && number >> (8 * (bytes - 1)) == 0) --bytes;
  out += static_cast<char>(256 - bytes);
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

void append_signed(int64_t number, std::string& out) {
  const auto bits = static_cast<uint64_t>(number);
  append_unsigned(number < 0 ? ~bits << 1 | 1 : bits << 1, out);
}

void append_bytes(std::string_view bytes, std::string& out) {
  append_unsigned(bytes.size(), out);
  out += bytes;
}

uint64_t Cursor::long_number(size_t bytes) {
  if (bytes > 8 || bytes > rest_.size()) {
    fail();
    return 0;
  }
  uint64_t number = 0;
  for (const char byte : rest_.substr(0, bytes)) number = number << 8 | static_cast<uint8_t>(byte);
  rest_.remove_prefix(bytes);
  return number;
}

std::string_view Cursor::bytes() {
  const uint64_t size = count();
  const std::string_view found = rest_.substr(0, size);
  rest_.remove_prefix(found.size());
  return found;
}

uint64_t Cursor::count() {
  const uint64_t number = unsigned_number();
  if (number <= rest_.size()) return number;
  fail();
  return 0;
}

}  // namespace carronade::dialects::vegeta::gob
