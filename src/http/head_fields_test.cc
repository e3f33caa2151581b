#include "http/head_fields.h"

#include <gtest/gtest.h>

namespace carronade::http {
namespace {

constexpr std::string_view kHead =
    "HTTP/1.1 404 Not Found\r\nX-A:  1 \r\nno colon\r\nx-b:\r\nX-A: 2\r\n\r\n";

TEST(HeadFields, WalksOverFieldsInOrder) {
  FieldCursor cursor(kHead);
  const auto first = cursor.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->name, "X-A");
  EXPECT_EQ(first->value, "1");
  const auto second = cursor.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->name, "x-b");
  EXPECT_EQ(second->value, "");
  const auto third = cursor.next();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->value, "2");
  EXPECT_FALSE(cursor.next());
}

TEST(HeadFields, FindsTheFirstInAnyCase) {
  EXPECT_EQ(find_field(kHead, "x-a"), "1");
  EXPECT_FALSE(find_field(kHead, "x-c"));
  EXPECT_FALSE(find_field("", "x-c"));
}

TEST(HeadFields, TakesTrailersAndBareLineFeeds) {
  EXPECT_EQ(find_field("a: 1\nb: 2\n", "b"), "2");
  EXPECT_EQ(status_line("HTTP/1.0 200 OK\nA: 1\n\n"), "HTTP/1.0 200 OK");
  EXPECT_EQ(status_line(kHead), "HTTP/1.1 404 Not Found");
}

TEST(HeadFields, AStatusHasThreeDigits) {
  EXPECT_EQ(status_of("HTTP/1.1 200 OK"), 200);
  EXPECT_EQ(status_of("HTTP/1.0 503"), 503);
  for (const char* line : {"", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2", "HTTP/1.1 2x0", "HTTP/1.1 20",
                           "HTTP/1.1 2000 OK", "HTTP/1.1  200", "HTTP/2 200 OK", "ICY 200 OK"}) {
    EXPECT_EQ(status_of(line), 0) << line;
  }
}

TEST(HeadFields, AHeadEndsWithAnEmptyLine) {
  EXPECT_EQ(head_end(kHead), kHead.size());
  EXPECT_EQ(head_end("A\r\nB: 1\r\n\r\nbody\r\n\r\n"), 11U);
  EXPECT_EQ(head_end("A\nB\n\nbody"), 5U);
  EXPECT_EQ(head_end("A\nB\n\r\nbody"), 6U);
  for (const char* cut : {"", "A", "A\r\n", "A\r\n\r", "A\n", "A\r\n\rB\r\n"}) {
    EXPECT_EQ(head_end(cut), 0U) << cut;
  }
  EXPECT_EQ(head_end("A\r\n\r\n", 2), 5U);
}

}  // namespace
}  // namespace carronade::http
