// HOT. A finite automaton of nine states. A table row per byte holds the next state for each
// present one, packed: the state is the number of bits to shift the row by, so that a step is a
// load (which does not wait for the step before), a shift and a mask.
#include "http/ws_utf8.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace carronade::http {

namespace {

constexpr uint8_t kStateBits = 6;
enum State : uint8_t {
  kAccept = 0,  // between characters
  kReject = kStateBits,
  kTail1 = 2 * kStateBits,  // so many more bytes of 80 to BF
  kTail2 = 3 * kStateBits,
  kTail3 = 4 * kStateBits,
  // The second byte has a narrower range, because of …
  kAfterE0 = 5 * kStateBits,  // overlong forms
  kAfterED = 6 * kStateBits,  // surrogates
  kAfterF0 = 7 * kStateBits,  // overlong forms
  kAfterF4 = 8 * kStateBits,  // the end of Unicode
};
constexpr std::array<State, 9> kStates = {kAccept,  kReject,  kTail1,   kTail2,  kTail3,
                                          kAfterE0, kAfterED, kAfterF0, kAfterF4};

constexpr State after_first(unsigned byte) {
  if (byte < 0x80) return kAccept;
  if (byte < 0xC2 || byte > 0xF4) return kReject;
  if (byte < 0xE0) return kTail1;
  if (byte == 0xE0) return kAfterE0;
  if (byte == 0xED) return kAfterED;
  if (byte < 0xF0) return kTail2;
  if (byte == 0xF0) return kAfterF0;
  return byte == 0xF4 ? kAfterF4 : kTail3;
}

constexpr State next_state(State state, unsigned byte) {
  const auto within = [byte](unsigned low, unsigned high, State next) {
    return byte >= low && byte <= high ? next : kReject;
  };
  switch (state) {
    case kAccept:
      return after_first(byte);
    case kReject:
      return kReject;
    case kTail1:
      return within(0x80, 0xBF, kAccept);
    case kTail2:
      return within(0x80, 0xBF, kTail1);
    case kTail3:
      return within(0x80, 0xBF, kTail2);
    case kAfterE0:
      return within(0xA0, 0xBF, kTail1);
    case kAfterED:
      return within(0x80, 0x9F, kTail1);
    case kAfterF0:
      return within(0x90, 0xBF, kTail2);
    case kAfterF4:
      return within(0x80, 0x8F, kTail2);
  }
  return kReject;
}

constexpr std::array<uint64_t, 256> make_rows() {
  std::array<uint64_t, 256> rows{};
  for (unsigned byte = 0; byte < rows.size(); ++byte) {
    for (const State state : kStates) rows[byte] |= uint64_t{next_state(state, byte)} << state;
  }
  return rows;
}
constexpr std::array<uint64_t, 256> kRows = make_rows();

// So many bytes at a time are passed over when all are ASCII.
constexpr size_t kBlock = 32;

bool block_is_ascii(const char* at) {
  std::array<uint64_t, kBlock / sizeof(uint64_t)> words;
  std::memcpy(words.data(), at, kBlock);
  return ((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080) == 0;
}

uint8_t run(uint8_t state, std::string_view bytes) {
  constexpr uint64_t kMask = (1U << kStateBits) - 1;
  uint64_t packed = state;
  for (const char c : bytes) packed = kRows[static_cast<uint8_t>(c)] >> (packed & kMask);
  return static_cast<uint8_t>(packed & kMask);
}

}  // namespace

bool Utf8Check::feed(std::string_view piece) {
  while (piece.size() >= kBlock) {
    if (state_ != kAccept || !block_is_ascii(piece.data())) {
      state_ = run(state_, piece.substr(0, kBlock));
      if (state_ == kReject) return false;
    }
    piece.remove_prefix(kBlock);
  }
  state_ = run(state_, piece);
  return state_ != kReject;
}

}  // namespace carronade::http
