#include "base/text.h"

#include <gtest/gtest.h>

namespace carronade::base {
namespace {

TEST(Text, IequalsIgnoresAsciiCaseOnly) {
  EXPECT_TRUE(iequals("Content-LENGTH", "content-length"));
  EXPECT_TRUE(iequals("", ""));
  EXPECT_FALSE(iequals("a", "ab"));
  EXPECT_FALSE(iequals("@", "`"));  // 0x20 apart, but not letters
  EXPECT_FALSE(iequals("\xc3\x84", "\xc3\xa4"));
}

TEST(Text, ToLower) { EXPECT_EQ(to_lower("AbZ[@`{\xc3\x84"), "abz[@`{\xc3\x84"); }

TEST(Text, Trim) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \r\n\t"), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\v x"), "\v x");
}

TEST(Text, SplitKeepsEmptyParts) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(split(",a,,", ','), (Parts{"", "a", "", ""}));
  EXPECT_EQ(split("", ','), (Parts{""}));
}

TEST(Text, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("conections", "connections"), 1);
  EXPECT_EQ(edit_distance("durtaion", "duration"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
}

TEST(Text, Nearest) {
  const std::vector<std::string> flags{"connections", "duration", "pipelining", "timeout"};
  EXPECT_EQ(nearest("conections", flags), "connections");
  EXPECT_EQ(nearest("timeuot", flags), "timeout");
  EXPECT_EQ(nearest("wholly-else", flags), "");
  EXPECT_EQ(nearest("timeout", {}), "");
  EXPECT_EQ(nearest("abcd", {"abxy"}), "abxy");  // 2 edits are near for a short word too
  EXPECT_EQ(nearest("abcd", {"axyz"}), "");
  EXPECT_EQ(nearest("abcdefghi", {"abcdefxyz"}), "abcdefxyz");  // a third of nine
  EXPECT_EQ(nearest("abcdefghi", {"abcdewxyz"}), "");
}

TEST(Text, Base64OfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(base64("Aladdin:open sesame"), "QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST(Text, Printable) {
  EXPECT_EQ(printable("a ~"), "a ~");
  EXPECT_EQ(printable("a\r\n"), "a\\x0d\\x0a");
  EXPECT_EQ(printable(std::string_view("\x00\x1b[31m\x7f\xff", 8)), "\\x00\\x1b[31m\\x7f\\xff");
}

TEST(Text, PrintableKeepsUtf8ButNotItsControls) {
  EXPECT_EQ(printable("500µs … d\u00fcrr \u20ac \U0001f680"),
            "500µs … d\u00fcrr \u20ac \U0001f680");
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");       // CSI in one character
  EXPECT_EQ(printable("\u202egnp"), "\\xe2\\x80\\xaegnp");  // right to left
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");  // cut short
  EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(Text, Token) {
  EXPECT_TRUE(is_token("GET"));
  EXPECT_TRUE(is_token("x-0!#$%&'*+-.^_`|~Z"));
  for (const std::string_view text : {"", "a b", "a:", "a\r", "\xc3\xbc", "(", "{"}) {
    EXPECT_FALSE(is_token(text)) << text;
  }
}

}  // namespace
}  // namespace carronade::base
