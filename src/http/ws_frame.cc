// HOT.
#include "http/ws_frame.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "carronade/websocket_frame.h"

namespace carronade::http {

namespace {

constexpr char kFinal = '\x80';
constexpr unsigned kMasked = 0x80;
constexpr unsigned kLength16 = 126;
constexpr unsigned kLength64 = 127;
constexpr size_t kMaskBytes = 4;

// In network byte order, the last `size` bytes of it.
void append_number(std::string& out, uint64_t number, size_t size) {
  for (size_t i = size; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xFF);
}

// Eight bytes at a time, which compilers make sixteen of.
void apply_mask(char* at, size_t size, const char* mask) {
  std::array<char, 2 * kMaskBytes> twice;
  std::memcpy(twice.data(), mask, kMaskBytes);
  std::memcpy(twice.data() + kMaskBytes, mask, kMaskBytes);
  uint64_t key = 0;
  std::memcpy(&key, twice.data(), sizeof(key));
  size_t done = 0;
  for (; done + sizeof(key) <= size; done += sizeof(key)) {
    uint64_t word = 0;
    std::memcpy(&word, at + done, sizeof(word));
    word ^= key;
    std::memcpy(at + done, &word, sizeof(word));
  }
  for (; done < size; ++done) at[done] = static_cast<char>(at[done] ^ mask[done % kMaskBytes]);
}

}  // namespace

void append_ws_frame(std::string& out, WsOpcode opcode, std::string_view payload, uint32_t mask) {
  out += static_cast<char>(kFinal | static_cast<char>(opcode));
  if (payload.size() < kLength16) {
    out += static_cast<char>(kMasked | payload.size());
  } else if (payload.size() <= UINT16_MAX) {
    out += static_cast<char>(kMasked | kLength16);
    append_number(out, payload.size(), sizeof(uint16_t));
  } else {
    out += static_cast<char>(kMasked | kLength64);
    append_number(out, payload.size(), sizeof(uint64_t));
  }
  append_number(out, mask, kMaskBytes);
  const size_t start = out.size();
  out += payload;
  apply_mask(out.data() + start, payload.size(), out.data() + start - kMaskBytes);
}

}  // namespace carronade::http

namespace carronade {

void append_websocket_message(std::string& out, std::string_view message, bool binary,
                              uint32_t mask) {
  const http::WsOpcode opcode = binary ? http::WsOpcode::kBinary : http::WsOpcode::kText;
  http::append_ws_frame(out, opcode, message, mask);
}

}  // namespace carronade
