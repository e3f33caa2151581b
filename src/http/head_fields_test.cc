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

}  // namespace
}  // namespace carronade::http
