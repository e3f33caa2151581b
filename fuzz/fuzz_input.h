// Cuts the bytes of libFuzzer into a few numbers, taken from the end, and the text under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace carronade::fuzz {

class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size)
      : text_(size == 0 ? "" : reinterpret_cast<const char*>(data), size) {}

  // 0 when there are no bytes left. Seeds are plain transcripts: a last byte of theirs that is
  // taken for a number does no harm.
  uint8_t number() {
    if (text_.empty()) return 0;
    const auto value = static_cast<uint8_t>(text_.back());
    text_.remove_suffix(1);
    return value;
  }
  std::string_view text() const { return text_; }

  // The text in pieces; how long they are follows from `seed`. 0: byte by byte.
  std::vector<std::string_view> pieces(uint8_t seed) const {
    std::vector<std::string_view> all;
    std::string_view rest = text_;
    uint32_t state = seed;
    while (!rest.empty()) {
      state = state * 1664525 + 1013904223;
      const size_t size = seed == 0 ? 1 : 1 + (state >> 24) % (1 + seed % 64);
      all.push_back(rest.substr(0, size));
      rest.remove_prefix(all.back().size());
    }
    return all;
  }

 private:
  std::string_view text_;
};

// Ends the process so that libFuzzer keeps the input.
[[noreturn]] inline void disagree(const char* what, const std::string& a, const std::string& b) {
  std::fprintf(stderr, "%s\n--- one:\n%s\n--- other:\n%s\n", what, a.c_str(), b.c_str());
  std::abort();
}

}  // namespace carronade::fuzz
