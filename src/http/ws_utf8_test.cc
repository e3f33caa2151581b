#include "http/ws_utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace carronade::http {
namespace {

bool whole(std::string_view bytes) {
  Utf8Check check;
  return check.feed(bytes) && check.complete();
}

std::string encoded(uint32_t point) {
  const auto tail = [point](int shift) {
    return static_cast<char>(0x80 | (point >> shift & 0x3F));
  };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
}

bool is_scalar(uint32_t point) { return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF); }

TEST(Utf8Check, TakesEveryCharacterAndNoSurrogate) {
  for (uint32_t point = 0; point < 0x1FFFFF; ++point) {
    ASSERT_EQ(whole(encoded(point)), is_scalar(point)) << point;
  }
}

// Of all texts of three bytes just as many are good as there are ways to make them of characters:
// 128^3 of three, 2 * 128 * 1920 of one and a two-byte one, and 61440 three-byte ones.
TEST(Utf8Check, TakesNothingElse) {
  uint32_t good = 0;
  std::string text(3, '\0');
  for (uint32_t bytes = 0; bytes < 1U << 24; ++bytes) {
    text[0] = static_cast<char>(bytes >> 16);
    text[1] = static_cast<char>(bytes >> 8 & 0xFF);
    text[2] = static_cast<char>(bytes & 0xFF);
    good += whole(text) ? 1 : 0;
  }
  EXPECT_EQ(good, 128U * 128 * 128 + 2 * 128 * 1920 + 61440);
}

TEST(Utf8Check, FaultsAreSeenAtTheFirstByte) {
  Utf8Check check;
  EXPECT_TRUE(check.feed("\xED"));
  EXPECT_FALSE(check.complete());
  EXPECT_FALSE(check.feed("\xA0"));
  EXPECT_FALSE(check.feed("a"));
  EXPECT_FALSE(check.complete());
  check.reset();
  EXPECT_TRUE(check.feed("a"));
  EXPECT_TRUE(check.complete());
}

// A bad byte, and a good character, at each place of texts around the size of a block.
TEST(Utf8Check, PlacesInLongText) {
  for (size_t size = 1; size < 100; ++size) {
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      text[at] = '\xFF';
      ASSERT_FALSE(whole(text)) << size << " " << at;
      text.replace(at, 1, "\xF0\x9F\x98\x80");
      ASSERT_TRUE(whole(text)) << size << " " << at;
      Utf8Check check;
      ASSERT_TRUE(check.feed(std::string_view(text).substr(0, at + 2)));
      ASSERT_FALSE(check.complete());
      ASSERT_TRUE(check.feed(std::string_view(text).substr(at + 2)));
      ASSERT_TRUE(check.complete());
    }
  }
}

}  // namespace
}  // namespace carronade::http
